"""The sentence for each of the rules' refusals, by id; faulty records and the command line use them too.

A table's own refusals are worded by the program that shows the table.
"""

import json
from collections.abc import Mapping
from typing import Any

from engine.cards import Card, Suit
from engine.languages import N_, Language

SENTENCES = {
    # rules
    "no_such_game": N_("There is no game called {given}: choose {games}."),
    "players": N_("{game} is for {players} players, not {given}."),
    "no_such_option": N_("There is no option called {given}."),
    "no_room_for_option": N_("{game} has no option {option}: its rules leave no room for it."),
    "one_deck": N_("{game} has no option {option}: it has one deck, so no card comes twice."),
    "no_kitty": N_(
        "{game} with {players} players has no option {option}: all cards are dealt, so there is no kitty."
    ),
    "same_pack": N_("{game} with {players} players has no option {option}: its pack is always the same."),
    "other_pack": N_("{game} with {players} players: {option} must be {allowed}."),
    "option_switch": N_("{option} must be true or false, not {given}."),
    "option_number": N_("{option} must be a whole number from {least} to {most}, not {given}."),
    "option_value": N_("{option} must be {allowed}, not {given}."),
    "rules_form": N_("The rules must name a preset, a number of players and, at most, options."),
    # a card
    "not_held": N_("You don't hold the {card}."),
    "opening_lead": N_("The {card} leads the first trick."),
    "follow_suit": N_("You have {suit}, so you must follow suit."),
    "hand_before_exposed": N_("Play cards from your hand before those you exposed."),
    "joker_lead": N_("You may lead a joker only if you hold nothing else."),
    "safe_first_trick": N_("No hearts and no queen of spades in the first trick."),
    "safe_from_scoring": N_("No card that scores may be played to the first trick."),
    "hearts_unbroken": N_("Hearts are not broken yet: lead another suit."),
    # a turn
    "no_such_seat": N_("There is no seat {given}: they are numbered from 0 to {most}."),
    "not_your_turn": N_("It's not your turn yet."),
    "not_passing": N_("There's nothing to pass now."),
    "pass_count": N_("Choose exactly {count} cards to pass."),
    "not_exposing": N_("No card can be exposed now."),
    "nothing_to_expose": N_("You hold no card that can be exposed."),
    "not_exposable": N_("Only the {cards} can be exposed."),
    "not_playing": N_("No card can be played now."),
    "no_moon_choice": N_("You haven't shot the moon, so there's nothing to decide."),
    "deal_over": N_("This deal is over."),
    "game_over": N_("This game is over."),
    "nothing_counts_yet": N_("No deal is complete yet, so nothing would count."),
}


def sentence(id: str, values: Mapping[str, Any], language: Language) -> str:
    """The sentence for the refusal with this id; the id itself if the rules have no such refusal."""
    if id not in SENTENCES:
        return id
    return language.say(
        SENTENCES[id], **{name: in_words(name, value, language) for name, value in values.items()}
    )


def in_words(name: str, value: Any, language: Language) -> str:
    """A refusal's value as it appears in its sentence; `given` may be anything."""
    if name == "given":
        return quote(value)
    if isinstance(value, tuple):
        return language.either([in_words("", one, language) for one in value])
    if isinstance(value, Card):
        return language.card(value)
    if isinstance(value, Suit):
        return language.suit(value)
    if isinstance(value, int):
        return language.grouped(value)
    return value if isinstance(value, str) else language.say(getattr(value, "title", str(value)))


def quote(value: Any) -> str:
    """Quote input of any kind for the sentence that refuses it: as JSON, cut after 60 characters."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return "that"
    return text if len(text) <= 60 else f"{text[:60]}..."
