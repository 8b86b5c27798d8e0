"""Numbers, lists and directions in words."""

from __future__ import annotations

from collections.abc import Sequence

_NUMBERS = "no one two three four five six seven eight nine ten".split()  # noqa: SIM905


def direction(offset: int, players: int, whose: str = "the") -> str:
    """Where cards passed this many seats to the left go: `two to the right`, `across`."""
    if offset * 2 == players:
        return "across"
    side = "left" if offset > 0 else "right"
    distance = abs(offset)
    return f"to {whose} {side}" if distance == 1 else f"{spelled(distance)} to {whose} {side}"


def ordinal(count: int) -> str:
    """`1st`, `2nd`, `11th`."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{'th' if count % 100 in (11, 12, 13) else ending}"


def spelled(count: int) -> str:
    """`three`; from eleven on in digits."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def listing(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def number(value: int) -> str:
    """With a real minus sign."""
    return f"−{-value}" if value < 0 else str(value)


def change(value: int) -> str:
    """`+5`, `−10` or `0`."""
    return f"+{value}" if value > 0 else number(value)
