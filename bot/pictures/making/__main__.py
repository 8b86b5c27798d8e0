"""Makes all art anew: `python -m bot.pictures.making`, with `fonts` those too, for which it needs npm."""

from __future__ import annotations

import sys

from bot.pictures.making.made import write

if __name__ == "__main__":
    write(with_fonts="fonts" in sys.argv[1:])
