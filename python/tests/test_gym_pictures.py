"""The pictures and the window of the Gymnasium environment."""

from __future__ import annotations

import sys

import gymnasium
import numpy as np
import pytest

import clearway
from clearway.gym import ID, RushHourEnv, RushHourVectorEnv

FIRST_CARD = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."


@pytest.mark.parametrize("cell", [5, 24, 48, 99])
def test_rendered_pictures_show_the_board(cell: int) -> None:
    env = gymnasium.make(ID, suite=["cards", "course", "walls"], render_mode="rgb_array", cell=cell)
    margin, size = max(2, cell // 4), max(board.width for board in env.boards)
    for number in range(0, len(env.boards), 17):
        env.reset(options={"board": number})
        picture = env.render()
        assert picture.dtype == np.uint8 and picture.shape == (size * cell + 2 * margin,) * 2 + (3,)
        # The target is red.
        _, x, y, _, orientation = env.board.vehicles[0]
        red, green, blue = map(int, picture[margin + y * cell + cell // 5, margin + x * cell + cell // 5])
        assert red > 2 * green and red > 2 * blue
        # The frame has a gap at the exit and nowhere else.
        right, bottom = margin + env.board.width * cell, margin + env.board.height * cell
        frame = {
            "left": picture[margin:bottom, 0],
            "right": picture[margin:bottom, right + margin - 1],
            "top": picture[0, margin:right],
            "bottom": picture[bottom + margin - 1, margin:right],
        }
        side = env.board.exit.partition(":")[0]
        for name, pixels in frame.items():
            gap = np.flatnonzero(pixels[:, 1] > 100)
            line = y if orientation == "horizontal" else x
            assert gap.tolist() == (list(range(line * cell, (line + 1) * cell)) if name == side else [])
    assert RushHourEnv()._repr_svg_() is None and RushHourEnv().render_mode is None


def test_labels_are_drawn_unless_they_are_too_small() -> None:
    def picture(**options: object) -> np.ndarray:
        env = RushHourEnv(boards=FIRST_CARD, render_mode="rgb_array", **options)
        env.reset()
        return env.render()

    assert not np.array_equal(picture(), picture(labels=False))
    assert np.array_equal(picture(cell=8), picture(cell=8, labels=False))
    # The label of the target, in its middle: an A of 5 x 7 pixels, each three pixels wide and high.
    (_, x, y, length, _) = clearway.Board(FIRST_CARD).vehicles[0]
    left, top = 12 + x * 48 + length * 24 - 7, 12 + y * 48 + 24 - 10
    label = (picture()[top : top + 21 : 3, left : left + 15 : 3] == 255).all(axis=2)
    rows = ["".join(".#"[int(pixel)] for pixel in row) for row in label]
    assert rows == ["..#..", ".#.#.", "#...#", "#...#", "#####", "#...#", "#...#"]


def test_a_window_shows_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    shown: list[np.ndarray] = []
    env = gymnasium.make(ID, boards=FIRST_CARD, render_mode="human", cell=20)
    env.metadata = {**env.metadata, "render_fps": 1000}
    monkeypatch.setattr(pygame.display, "flip", lambda: shown.append(pygame.display.get_surface().copy()))
    env.reset()
    env.step(env.action_of("B+1"))
    assert env.render() is None and len(shown) == 3
    picture = RushHourEnv(boards=FIRST_CARD, render_mode="rgb_array", cell=20)
    picture.reset()
    assert np.array_equal(pygame.surfarray.array3d(shown[0]).swapaxes(0, 1), picture.render())
    picture.step(picture.action_of("B+1"))
    assert np.array_equal(pygame.surfarray.array3d(shown[1]).swapaxes(0, 1), picture.render())
    env.close()
    env.close()
    assert not pygame.display.get_init()
    with pytest.raises(clearway.UsageError, match="unknown render_mode 'human'; expected ansi or rgb_array"):
        RushHourVectorEnv(2, render_mode="human")


def test_without_pygame_the_window_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = RushHourEnv(boards=FIRST_CARD, render_mode="human")
    with pytest.raises(gymnasium.error.DependencyNotInstalled, match="install it with pip install"):
        env.reset()
