"""Makes the art files: `python -m bot.pictures.making`. With `fonts`, also the fonts, which needs npm."""

from __future__ import annotations

import sys

from bot.pictures.making.art_files import write

if __name__ == "__main__":
    write(with_fonts="fonts" in sys.argv[1:])
