"""Every sentence that refuses a player something, by the refusal's id."""

import json
from typing import Any

SENTENCES = {
    # rules
    "no_such_game": "There is no game called {name}; there are {games}.",
    "players": "{game} is for {numbers} players, not {given}.",
    "no_such_option": "There is no option called {option}.",
    "option_does_not_apply": "The option {option} does not apply here. {why}.",
    "option_value": "The option {option} cannot be {given}: it takes {allowed}.",
    "rules_form": "The rules must name a preset, a number of players and, at most, options.",
    # a card
    "not_held": "You do not hold the {card}.",
    "opening_lead": "The {card} leads the first trick.",
    "follow_suit": "You have {suit}, so you must follow suit.",
    "hand_before_exposed": "Cards from your hand come before the ones that you exposed.",
    "joker_lead": "A joker may be led only from a hand of nothing but jokers.",
    "safe_first_trick": "No hearts and no queen of spades in the first trick.",
    "safe_from_scoring": "No card that scores may be played to the first trick.",
    "hearts_unbroken": "Hearts are not broken yet: lead another suit.",
    # a turn
    "not_your_turn": "It is not your turn yet: the table shows whose it is.",
    "not_passing": "There is no pass to make now. Press My hand to see what there is to do.",
    "pass_count": "Choose exactly {count} cards to pass.",
    "not_exposing": "No card can be exposed now. Press My hand to see what there is to do.",
    "nothing_to_expose": "You hold no card that can be exposed.",
    "not_exposable": "Only Q♠, J♦, A♥ and 10♣ can be exposed.",
    "not_playing": "No card can be played now. Press My hand to see what there is to do.",
    "no_moon_choice": "There is no moon of yours to decide about.",
    "deal_over": "This deal is over.",
    "game_over": "This game is over.",
    # a table
    "table_gone": "This table is closed. Start a new one with /hearts new.",
    "no_table": "There is no table in this channel. Open one with /hearts new.",
    "table_in_channel": "There is a table in this channel already. Take another channel or a thread.",
    "table_full": "All seats are taken. Open another table in another channel or thread.",
    "already_seated": "You have a seat at this table already. Leave frees it.",
    "already_started": "The game has started already. That has to wait for the next one.",
    "not_started": "The game has not started yet: its host presses Start.",
    "paused": "The game is paused: I may not write in its channel. If I may within a week, it goes on.",
    "not_seated": "You have no seat at this table. Join takes one in a lobby; /hearts new opens your own.",
    "away": "A computer plays your cards. Press I'm back, and they are yours again.",
    "stale": "The game has moved on since that message. Press My hand at the table to see your cards.",
    "no_game_here": "No game has been played in this channel yet.",
    "house_names_game": "House rules name their own game: leave the option game out.",
    "too_many_house_rules": "This server has {count} house rules already: delete some first.",
    "rematch_open": "The rematch is open already: its table stands further down in this channel.",
    "no_such_house_rules": "This server has no house rules called {name}.",
    "not_your_house_rules": "Somebody else saved {name}: only they or who manages the server can change it.",
    "bot_may_not_post": "I may not write here: somebody must let me view this channel and send messages.",
    "seats_taken": "{seated} are seated already, so a table for {players} is too small.",
    "host_only": "Only {host}, the host of this table, can do that.",
    "cannot_save": "I cannot save anything just now, so nothing was changed. Wait a little and try again.",
    "cannot_read": "I cannot read what is stored just now. Wait a little and try again.",
    "damaged": "What is stored of this is damaged: whoever runs the bot can find in its log what is wrong.",
    "owner_only": "Only whoever runs this bot can see that.",
    "may_not_stop": "Only {host} can stop this table, or somebody who may manage the channel.",
}


def quote(value: Any) -> str:
    """Somebody's input for a sentence that refuses it: as JSON, cut short, whatever it is."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return "that"
    return text if len(text) <= 60 else f"{text[:60]}..."
