"""Policies."""

import pickle
from pathlib import Path

import pandas
import pytest

import clearway
from clearway import Policy

CARD = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."
RULES = "IF h1 <= 0.05 THEN h1\nDEFAULT 2*h1 + 0.5*h2"


def test_built_in_policies_guide_searches() -> None:
    for name in Policy.shipped():
        policy = Policy(name)
        assert policy.about and policy.heuristics and policy.search
        assert len(policy.explain().splitlines()) == len(policy.rules())
        answer = clearway.solve(CARD, policy=policy)
        assert answer.board.verify(*answer.solution)
        assert f"policy={name}" in answer.algorithm and not answer.optimal


def test_policies_are_created_from_names_files_and_texts(tmp_path: Path) -> None:
    file = tmp_path / "my.policy"
    file.write_text(RULES)
    policy = Policy(file)
    assert policy.name == "my" and policy == Policy(RULES) == Policy(str(file), name="other")
    assert Policy(policy.text) == policy and Policy(policy.text).text == policy.text == str(policy)
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert policy.heuristics == ["blockers-lower-bound", "goal-distance"] and policy.search is None
    assert "otherwise: " in policy.explain() and policy._repr_svg_().startswith("<svg")


def test_an_error_points_into_the_text() -> None:
    with pytest.raises(clearway.InputError, match="unknown heuristic 'h99'") as raised:
        Policy("DEFAULT h99", name="mine")
    assert "mine:1:9" in str(raised.value)


def test_a_new_policy_appears_under_its_name() -> None:
    policy = Policy(RULES, name="mine")
    answer = clearway.solve(CARD, policy=policy)
    assert answer.algorithm == "wastar(policy=mine, weight=1)" and answer.board.verify(*answer.solution)
    rows = clearway.compare([CARD], ["bfs", policy])
    assert rows[1]["algorithm"] == rows[1]["canonical"] == answer.algorithm
    assert rows[1]["expanded"] == answer.expanded


def test_other_rules_under_the_name_of_a_built_in_policy_are_used() -> None:
    impostor = Policy(RULES, name="hand")
    assert clearway.solve(CARD, policy=impostor).expanded == clearway.solve(CARD, policy=Policy(RULES)).expanded
    assert clearway.solve(CARD, policy=impostor).expanded != clearway.solve(CARD, policy="hand").expanded


def test_a_policy_is_measured_against_other_searches() -> None:
    rows = Policy("best-first-6x6").test(suite=["it3105", "vandijk"], beside=Policy(RULES, name="mine"), brief=True)
    table = pandas.DataFrame(rows).set_index(["suite", "name"])
    assert list(table.loc["vandijk"].index) == ["None", "GP", "mine"]
    assert table.loc[("it3105", "None"), "nodes_percent"] == 100
    assert table.loc[("it3105", "GP"), "nodes_percent"] < 20
    assert len(Policy("hand").test([CARD])) > 5 and Policy("hand").test([]) == []
