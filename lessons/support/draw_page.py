#!/usr/bin/env python3
"""Draws lines of a lesson's coloured page as an SVG picture: what a reader sees in a terminal.

    lessons/run 00 --color always --width 80 | lessons/support/draw_page.py FROM TO > lessons/tour.svg

FROM and TO are text: the picture starts at the first line that holds FROM and ends before the next that holds TO.
"""
import re
import sys
from html import escape

CELL, LINE, EDGE = 8.4, 18, 16  # pixels: a character, a line, the margin
PAPER, TEXT, FAINT = "#16191f", "#d8dce4", "#8b93a1"
ACCENT = {"36": "#5fd7d7", "33": "#e5c07b", "32": "#98c379", "31": "#e06c75"}


def colour_256(number):
    """A colour of the terminal's cube of 256 colours."""
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    steps = (0, 95, 135, 175, 215, 255)
    number -= 16
    return "#" + "".join(f"{steps[number // scale % 6]:02x}" for scale in (36, 6, 1))


def pieces(line):
    """Yields (text, fill, weight, background) for each run of one style."""
    fill, weight, background = TEXT, "normal", None
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not part.startswith("\x1b["):
            if part:
                yield part, fill, weight, background
            continue
        codes = part[2:-1].split(";")
        while codes:
            code = codes.pop(0)
            if code in ("", "0"):
                fill, weight, background = TEXT, "normal", None
            elif code == "1":
                weight = "bold"
            elif code == "2":
                fill = FAINT
            elif code in ACCENT:
                fill = ACCENT[code]
            elif code == "97":
                fill = "#ffffff"
            elif code == "30":
                fill = "#101010"
            elif code in ("38", "48"):
                colour = colour_256(int(codes[1]))
                fill, background = (colour, background) if code == "38" else (fill, colour)
                del codes[:2]


def chosen(lines, first, last):
    begin = next(i for i, line in enumerate(lines) if first in line)
    end = next((i for i, line in enumerate(lines) if i > begin and last in line), len(lines))
    while not lines[end - 1].strip():
        end -= 1
    return lines[begin:end]


def main():
    lines = chosen(sys.stdin.read().splitlines(), sys.argv[1], sys.argv[2])
    width, height = 80 * CELL + 2 * EDGE, len(lines) * LINE + 2 * EDGE
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
          f'viewBox="0 0 {width:.0f} {height}" font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" '
          f'font-size="14">')
    print(f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>')
    for row, line in enumerate(lines):
        column, baseline = 0, EDGE + (row + 1) * LINE - 5
        for text, fill, weight, background in pieces(line):
            x, length = EDGE + column * CELL, len(text) * CELL
            if background:
                print(f'<rect x="{x:.1f}" y="{baseline - 13}" width="{length:.1f}" height="{LINE}" fill="{background}"/>')
            # Word by word, each at its own column: no viewer's idea of white space can move it.
            for word in re.finditer(r"\S+", text):
                print(f'<text x="{x + word.start() * CELL:.1f}" y="{baseline}" '
                      f'textLength="{len(word.group()) * CELL:.1f}" fill="{fill}" font-weight="{weight}">'
                      f'{escape(word.group())}</text>')
            column += len(text)
    print("</svg>")


main()
