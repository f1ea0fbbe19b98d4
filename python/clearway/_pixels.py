"""Pictures of boards as arrays of pixels, and a window that shows them."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from clearway._native import Board

_FRAME = 64
_FLOOR = 232
_EXIT = (120, 190, 120)

#: Smallest side of a cell for which labels are legible, in pixels.
_SMALLEST_LABELLED = 11

#: Characters of 5 x 8 pixels: two hexadecimal digits for each column, the lowest bit at the top.
_GLYPHS = """
    1:00427F4000 2:7249494946 3:2141494D33 4:1814127F10 5:2745454539 6:3C4A494931 7:4121110907 8:3649494936 9:464949291E
    A:7C1211127C B:7F49494936 C:3E41414122 D:7F4141413E E:7F49494941 F:7F09090901 G:3E41415173 H:7F0808087F I:00417F4100
    J:2040413F01 K:7F08142241 L:7F40404040 M:7F021C027F N:7F0408107F O:3E4141413E P:7F09090906 Q:3E4151215E R:7F09192946
    S:2649494932 T:03017F0103 U:3F4040403F V:1F2040201F W:3F4038403F X:6314081463 Y:0304780403 Z:6159494D43
    a:2054547840 b:7F28444438 c:3844444428 d:384444287F e:3854545418 f:00087E0902 g:18A4A49C78 h:7F08040478 i:00447D4000
    j:2040403D00 k:7F10284400 l:00417F4000 m:7C04780478 n:7C08040478 p:FC18242418 q:18242418FC r:7C08040408 s:4854545424
    t:04043F4424 u:3C4040207C v:1C2040201C w:3C4030403C y:4C9090907C z:4464544C44
"""
_FONT = dict(glyph.split(":") for glyph in _GLYPHS.split())


def draw(
    board: Board, colours: list[tuple[int, int, int]], size: tuple[int, int], cell: int, labels: bool
) -> np.ndarray:
    """Draws a board in a frame with a gap at the exit, in the upper left of a picture for ``size`` (rows, columns)."""
    rows, columns = size
    margin = max(2, cell // 4)
    picture = np.full((rows * cell + 2 * margin, columns * cell + 2 * margin, 3), _FRAME, np.uint8)

    def fill(x: int, y: int, wide: int, high: int, colour: int | tuple[int, int, int]) -> None:
        left, top = margin + x * cell, margin + y * cell
        picture[top + 1 : top + high * cell - 1, left + 1 : left + wide * cell - 1] = colour

    _draw_exit(picture, board, cell, margin)
    for x, y in np.ndindex(board.width, board.height):
        fill(x, y, 1, 1, _FLOOR)
    for x, y in board.walls:
        fill(x, y, 1, 1, _FRAME)
    for (label, x, y, length, orientation), colour in zip(board.vehicles, colours, strict=True):
        wide, high = (length, 1) if orientation == "horizontal" else (1, length)
        fill(x, y, wide, high, colour)
        if labels and cell >= _SMALLEST_LABELLED:
            _draw_label(
                picture, label, margin + x * cell + wide * cell // 2, margin + y * cell + high * cell // 2, cell
            )
    return picture


def _draw_exit(picture: np.ndarray, board: Board, cell: int, margin: int) -> None:
    """Draws the gap in the frame at the exit, in the line of the vehicle that has to reach it."""
    _, x, y, *_ = board.vehicles[0]
    across, down = slice(margin + x * cell, margin + (x + 1) * cell), slice(margin + y * cell, margin + (y + 1) * cell)
    right, bottom = margin + board.width * cell, margin + board.height * cell
    places = {
        "left": (down, slice(0, margin)),
        "right": (down, slice(right, right + margin)),
        "top": (slice(0, margin), across),
        "bottom": (slice(bottom, bottom + margin), across),
    }
    picture[places[board.exit.partition(":")[0]]] = _EXIT


def _draw_label(picture: np.ndarray, label: str, x: int, y: int, cell: int) -> None:
    """Draws a label centred at a pixel; labels that the font lacks are left out."""
    code = _FONT.get(label)
    if code is None:
        return
    columns = np.frombuffer(bytes.fromhex(code), np.uint8)
    glyph = (columns[None, :] >> np.arange(8)[:, None]) & 1
    scale = max(1, cell // 16)
    glyph = glyph.repeat(scale, 0).repeat(scale, 1).astype(np.bool_)
    high, wide = glyph.shape
    # Most characters leave the lowest row empty.
    top, left = y - (high - scale) // 2, x - wide // 2
    area = picture[top : top + high, left : left + wide]
    red, green, blue = (int(part) for part in picture[y, left - 1])
    area[glyph] = 0 if 299 * red + 587 * green + 114 * blue > 128_000 else 255


class Window:
    """A window that shows pictures, with pygame."""

    def __init__(self, title: str, pictures_per_second: int) -> None:
        try:
            import pygame
        except ModuleNotFoundError:
            text = "render_mode 'human' needs pygame; install it with pip install 'clearway[gym,human]'"
            raise gymnasium.error.DependencyNotInstalled(text) from None
        self._pygame: Any = pygame
        self._title, self._rate = title, pictures_per_second
        self._screen: Any = None
        self._clock = pygame.time.Clock()

    def show(self, picture: np.ndarray) -> None:
        """Shows a picture, for at least the time of one picture."""
        pygame = self._pygame
        high, wide, _ = picture.shape
        if self._screen is None or self._screen.get_size() != (wide, high):
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._screen = pygame.display.set_mode((wide, high))
        # pygame counts columns first.
        self._screen.blit(pygame.surfarray.make_surface(picture.swapaxes(0, 1)), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        """Closes the window; the next picture opens it again."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None
