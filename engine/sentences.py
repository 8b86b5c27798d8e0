"""Sentences for the rules' refusals, by id, for faulty records and the command line.

A table's own refusals have no sentences here: the program that shows the table has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

SENTENCES = {
    # rules
    "no_such_game": "There is no game called {given}: choose {games}.",
    "players": "{game} is for {players} players, not {given}.",
    "no_such_option": "There is no option called {given}.",
    "no_room_for_option": "{game} has no option {option}: its rules leave no room for it.",
    "one_deck": "{game} has no option {option}: it has one deck, so no card comes twice.",
    "no_kitty": "{game} with {players} has no option {option}: all cards are dealt, so there is no kitty.",
    "same_pack": "{game} with {players} has no option {option}: its pack is always the same.",
    "other_pack": "{game} with {players}: {option} must be {allowed}.",
    "option_switch": "{option} must be true or false, not {given}.",
    "option_number": "{option} must be a whole number from {least} to {most}, not {given}.",
    "option_value": "{option} must be {allowed}, not {given}.",
    "rules_form": "The rules must name a preset, a number of players and, at most, options.",
    # a card
    "not_held": "You don't hold the {card}.",
    "opening_lead": "The {card} leads the first trick.",
    "follow_suit": "You have {suit}, so you must follow suit.",
    "hand_before_exposed": "Play cards from your hand before those you exposed.",
    "joker_lead": "You may lead a joker only if you hold nothing else.",
    "safe_first_trick": "No hearts and no queen of spades in the first trick.",
    "safe_from_scoring": "No card that scores may be played to the first trick.",
    "hearts_unbroken": "Hearts are not broken yet: lead another suit.",
    # a turn
    "not_your_turn": "It's not your turn yet.",
    "not_passing": "There's nothing to pass now.",
    "pass_count": "Choose exactly {count} cards to pass.",
    "not_exposing": "No card can be exposed now.",
    "nothing_to_expose": "You hold no card that can be exposed.",
    "not_exposable": "Only the {cards} can be exposed.",
    "not_playing": "No card can be played now.",
    "no_moon_choice": "You have no moon to decide about.",
    "deal_over": "This deal is over.",
    "game_over": "This game is over.",
    "nothing_counts_yet": "No deal is complete yet, so nothing would count.",
}


def sentence(id: str, values: Mapping[str, Any]) -> str:
    """The sentence for this refusal; its id if it isn't one of the rules'."""
    if id not in SENTENCES:
        return id
    return SENTENCES[id].format(**{name: in_words(name, value) for name, value in values.items()})


def in_words(name: str, value: Any) -> str:
    """A refusal's value as it appears in its sentence; `given` may be anything."""
    if name == "given":
        return quote(value)
    if isinstance(value, tuple):
        return either([in_words("", one) for one in value])
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else str(getattr(value, "title", value))


def either(values: Iterable[object]) -> str:
    """`3, 4 or 5`."""
    *most, last = map(str, values)
    return f"{', '.join(most)} or {last}" if most else last


def quote(value: Any) -> str:
    """Any input, for the sentence that refuses it: as JSON, cut if it is long."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return "that"
    return text if len(text) <= 60 else f"{text[:60]}..."
