"""Makes all art anew: `python -m bot.pictures.making`."""

from __future__ import annotations

from bot.pictures.making.made import write

if __name__ == "__main__":
    write()
