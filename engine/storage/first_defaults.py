"""Rules as the first version stored them, which left out what did not differ from its defaults.

Never to be changed: only rows of that version are read with it, and once.
"""

from __future__ import annotations

import json
from typing import Any

_EXTRAS = {"jack_of_diamonds": False, "hooligan": False, "spot_hearts": False, "even_scores": False}
_WIKIBOOKS = {
    "pass_cards": 3,
    "remainder": "remove",
    "kitty": "first-trick",
    "safe_first_trick": "all-scoring",
    "hearts_broken_by": "hearts",
    "lead_hearts_with_queen": False,
    **_EXTRAS,
    "moon": "others",
    "ends_at": 100,
    "winner": "lowest",
}
_DEFAULTS: dict[str, dict[str, Any]] = {
    "classic": {
        "pass_cards": 3,
        "safe_first_trick": "hearts-and-queen",
        "hearts_broken_by": "hearts-or-queen",
        "lead_hearts_with_queen": True,
        **_EXTRAS,
        "moon": "choice",
        "ends_at": 100,
        "winner": "lowest",
    },
    "wikibooks": _WIKIBOOKS,
    "double-deck": {
        **_WIKIBOOKS,
        "remainder": "kitty",
        "kitty": "first-and-last",
        "duplicates": "first-wins",
        "moon": "choice",
    },
    "cancellation": {
        "pass_cards": 0,
        "safe_first_trick": "off",
        "hearts_broken_by": "hearts-or-queen",
        "lead_hearts_with_queen": False,
        "duplicates": "cancel",
        **_EXTRAS,
        "moon": "choice",
        "ends_at": 150,
        "winner": "highest",
    },
    "chinese": {"ends_at": 5000, "winner": "highest"},
}
#: Where the pack is not always the same.
_HAS_REMAINDER = {("wikibooks", 3), ("wikibooks", 5), ("double-deck", 6)}


def whole_rules(stored: bytes) -> str | None:
    """The same rules with every option that applies; None where nobody can read them."""
    try:
        rules = json.loads(stored)
        game, players, options = rules["preset"], rules["players"], rules["options"]
        return json.dumps({**rules, "options": {**_defaults(game, players, options), **options}})
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _defaults(game: str, players: int, options: dict[str, Any]) -> dict[str, Any]:
    defaults = dict(_DEFAULTS[game])
    if (game, players) not in _HAS_REMAINDER:
        defaults.pop("remainder", None)
    # Nine players of two decks leave a card, whatever they want.
    if (defaults | options).get("remainder") != "kitty" and (game, players) != ("double-deck", 9):
        defaults.pop("kitty", None)
    if game == "wikibooks" and options.get("spot_hearts"):
        defaults["ends_at"] = 500
    if game == "cancellation" and options.get("pass_cards"):
        defaults["safe_first_trick"] = "hearts-and-queen"
    return defaults
