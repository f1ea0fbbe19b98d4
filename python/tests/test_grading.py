"""Grading."""

import pandas

import clearway
from program import records

CARD = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."


def test_the_grade_equals_that_of_the_command() -> None:
    (record,) = records("grade", CARD)
    grade = clearway.grade(CARD)
    for name, value in record.items():
        if name not in ("name", "board", "removable", "solution", "themes"):
            assert getattr(grade, name) == value
    assert list(grade.themes) == record["themes"]
    assert list(grade.solution) == record["solution"] and grade.board.verify(*grade.solution)


def test_the_predicted_time_is_given_in_words() -> None:
    assert clearway.grade(CARD, machine=False).human_text == "about 28 s (18 to 45 s)"
    hard = clearway.suite("cards")[39]
    assert clearway.grade(hard, machine=False).human_text == "about 9 min (extrapolated)"
    assert clearway.grade("4x3:...BAA.B....").human_text is None


def test_grades_fill_a_table() -> None:
    cards = clearway.suite("cards")
    grades = clearway.grade_many(cards, machine=False)
    assert grades[3] == clearway.grade(cards[3], machine=False)
    table = pandas.DataFrame(grades)
    assert len(table) == 40 and table.level.nunique() >= 4 and table.machine.isna().all()
    assert table.moves.corr(table.search_information) > 0.5
    assert clearway.grade_many([]) == []


def test_a_grade_states_what_a_limit_left_unfinished() -> None:
    grade = clearway.grade(CARD, node_limit=3)
    assert grade.status == "limit" and grade.moves is None and grade.moves_at_least <= 8 and grade.unfinished
    assert clearway.grade("4x3:...BAA.B....").status == "unsolvable"
    assert grade.moves_at_most is None and grade.solution is None
    large = clearway.suite("course")[6]
    grade = clearway.grade(large, node_limit=8_000, machine=False)
    assert grade.status == "limit" and grade.moves is None and len(grade.solution) == grade.moves_at_most
    assert grade.moves_at_least <= 25 <= grade.moves_at_most and grade.board.verify(*grade.solution)
