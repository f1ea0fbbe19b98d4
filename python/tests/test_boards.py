"""Boards: parsing, formats, moves and suites."""

import copy
import doctest
import pickle
from pathlib import Path

import pytest

import clearway
from clearway import Board

CARD = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."
FORMATS = ["line", "grid", "van-dijk", "it3105", "course", "json", "tsv"]


def test_the_examples_of_the_class_are_correct() -> None:
    # doctest does not search compiled modules by itself.
    runner = doctest.DocTestRunner()
    names = {None: Board, **{name: getattr(Board, name) for name in dir(Board) if not name.startswith("_")}}
    for name, part in names.items():
        if part.__doc__ and ">>>" in part.__doc__:
            examples = doctest.DocTestParser().get_doctest(part.__doc__, {"Board": Board}, f"Board.{name}", None, None)
            runner.run(examples)
    assert runner.summarize(verbose=False).failed == 0
    assert runner.tries >= 10


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_round_trips(format: str) -> None:
    text = Board(CARD).to(format)
    assert Board(text, format=format, size=(6, 6)) == Board(CARD)


def test_boards_without_a_target_have_a_format_of_their_own() -> None:
    for board in clearway.suite("traffic-jam"):
        assert Board(board.to("traffic-jam")) == board
    with pytest.raises(clearway.InputError, match="cannot hold this board"):
        Board(CARD).to("traffic-jam")


def test_boards_are_values() -> None:
    board = Board("4x3:...BAA.B....@left", name="small")
    for same in (pickle.loads(pickle.dumps(board)), copy.deepcopy(board), Board(str(board), name="small")):
        assert same == board and hash(same) == hash(board)
        assert (same.name, same.exit, same.walls) == (board.name, board.exit, board.walls)
    assert board != Board("4x3:...BAA.B....") and board != "4x3:...BAA.B....@left"
    assert len({Board(CARD), Board(CARD)}) == 1


def test_playing_does_not_change_the_board() -> None:
    board = Board(CARD)
    after = board.play("G-3", "C+3 B+1")
    assert str(board) == CARD and str(after) != CARD
    assert after.play("B-1", "C-3", "G+3") == board
    with pytest.raises(clearway.InputError, match="A"):
        board.play("A+3")


def test_every_listed_move_can_be_played_and_undone() -> None:
    board = Board(CARD)
    for move in board.moves():
        after = board.play(move)
        assert after != board
        back = f"{move[0]}{'-' if move[1] == '+' else '+'}{move[2:]}"
        assert back in after.moves() and after.play(back) == board


def test_pictures_are_svg() -> None:
    board = Board(CARD, name="<first>")
    for picture in (board.svg(), board.animate("G-3"), board._repr_svg_()):
        assert picture.startswith("<svg ") and picture.rstrip().endswith("</svg>")
    assert "&lt;first&gt;" in board._repr_svg_()


def test_files_hold_many_boards(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    cards = clearway.suite("cards")
    file.write_text("\n".join(map(str, cards)))
    assert clearway.read(file) == cards == clearway.read_text(file.read_text())
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(clearway.InputError, match=r"boards\.txt"):
        clearway.read(file)
    with pytest.raises(FileNotFoundError):
        clearway.read(tmp_path / "none.txt")


def test_suites_have_the_stated_number_of_named_unsolved_boards() -> None:
    for suite in clearway.suites():
        boards = clearway.suite(suite.name)
        assert len(boards) == suite.boards and suite.about
        assert all(board.name for board in boards) and not any(board.is_solved for board in boards)


def test_the_exit_can_be_chosen() -> None:
    (board,) = clearway.read_text("4x3:...BAA.B....", exit="left")
    assert board.exit == "left" and board.is_solved
    with pytest.raises(clearway.InputError, match="invalid exit 'middle'"):
        clearway.read_text(CARD, exit="middle")


def test_an_invalid_size_is_an_error() -> None:
    with pytest.raises(clearway.InputError, match="invalid board size 1x7"):
        clearway.read_text(CARD, size=(1, 7))
