"""What somebody may not do, told so that they can do what they may: every sentence that refuses something."""

from __future__ import annotations

from typing import Any

from bot.messages import Whisper
from bot.render.buttons import come_back, take_a_seat
from bot.render.text import person
from engine import sentences
from engine.errors import Refusal
from engine.rules.wording import TITLES

#: Columns of a value in a sentence: in a command's option anybody can write a book.
LONGEST_VALUE = 100
#: By the refusal's id; in braces its values. What the rules refuse is said as the engine says it.
SENTENCES = sentences.SENTENCES | {
    # a turn
    "not_your_turn": "It is not your turn yet: the table shows whose it is.",
    "not_passing": "There is no pass to make now. Press **My hand** to see what there is to do.",
    "all_picked": "You have chosen all that you pass: tap one of those cards to put it back.",
    "not_exposing": "No card can be exposed now. Press **My hand** to see what there is to do.",
    "not_playing": "No card can be played now. Press **My hand** to see what there is to do.",
    "stale": "The game has moved on since that message. Press **My hand** at the table to see your cards.",
    "paused": "The game is paused: I may not write in its channel. If I may within a week, it goes on.",
    "away": "A computer plays your cards. Press **I'm back**, and they are yours again.",
    "nothing_to_hint": "There is nothing to choose now in which a hint could help.",
    "no_hints": "This table gives no hints. Its host chooses in the lobby, behind **Rules**, who may ask.",
    "no_advice": "Too many ask me just now to think that through. Try again in a minute.",
    "getting_ready": "I am getting ready to think. On a new machine that takes a minute: ask again soon.",
    # a table
    "table_gone": "This table is closed. Start a new one with `/hearts new`.",
    "no_table": "No game is going on in this channel. Open a table with `/hearts new`.",
    "no_game_here": "No game has been played in this channel yet.",
    "table_in_channel": (
        "There is a table in this channel already: `/hearts join` takes a seat there. "
        "Open yours in another channel or a thread."
    ),
    "players_away": (
        "The players of the game in this channel are away, and may still come back. "
        "Try again later, or open yours in another channel or a thread."
    ),
    "no_rematch": "Only who played to the end can open a rematch. Then **Join** lets everybody else in.",
    "rematch_open": "The rematch is open already: its table stands further down in this channel.",
    "table_full": "All seats are taken. Open another table in another channel or thread.",
    "seats_taken": "{seated} are seated already, so a table for {players} is too small.",
    "already_seated": "You have a seat here already: **My hand** shows your cards once they are dealt.",
    "not_seated": "You have no seat here: **Join** takes one in a lobby, **Take a seat** one in mid-game.",
    "in_mid_game": "This game has begun without you. Take a seat, and you play from the next deal on.",
    "seat_lost": "Somebody else has your seat by now. Take another, and you play from the next deal on.",
    "seat_taken": "That seat is not free any more. Press **Take a seat** for another one.",
    "already_taking": "You take a seat with the next deal already. `/hearts leave` takes that back.",
    "not_taking": "You are not about to take a seat: you have one by now, or took that back.",
    "no_latecomers": "The host lets nobody take a seat in the middle of this game.",
    "no_computer": "No computer has a seat here.",
    "no_free_seat": "Somebody sits in every seat: only a computer's can be taken, or that of who has left.",
    "not_your_deal": "You did not play in that deal.",
    "already_started": "The game has started already. That has to wait for the next one.",
    "leaves_game": "The game has started. `/hearts leave` leaves it, and a computer plays your cards then.",
    "not_started": "The game has not started yet: its host presses **Start**.",
    "host_only": "Only {host}, the host of this table, can do that.",
    "no_host": "Only the host can do that, and this table has none any more.",
    "may_not_stop": "Only {host} can stop this table, or somebody who may manage the channel.",
    "ask_to_stop": "All who play at this table have to agree on that: one of them asks with `/hearts stop`.",
    "vote_open": "Everybody is being asked already: answer that question first. It stands in the channel.",
    "vote_over": "That question is no longer open.",
    "vote_rests": "Everybody was asked that a short time ago. The question in the channel says until when.",
    "nobody_to_agree": "Nobody else is at the table to agree. `/hearts stop` ends the game without a result.",
    "nothing_counts_yet": "No deal is complete yet, so nothing could count. `/hearts stop` ends the game.",
    "only_manager_may_stop": "Only somebody who may manage the channel can stop this table.",
    # the daily deal
    "played_today": "You have played today's deals. `/hearts daily` shows how you did.",
    "seen_today": "You have seen today's deals already. The next are dealt at midnight (UTC).",
    "daily_over": "That game is over. `/hearts daily` shows how it went.",
    "day_not_over": "Others still play these deals: what lay in them is told when the day is over (UTC).",
    "no_such_day": "There were no daily deals on that day.",
    "begins_in_server": "Today's deals are begun in a server: use `/hearts daily` there.",
    "already_shared": "There is nothing to share, or you have shared it already.",
    # a replay
    "nothing_done": "No deal is over yet: a replay opens only what is done.",
    "file_too_large": "That file is too large for a game: up to {most} kB are read.",
    "file_empty": "There is nothing in that file.",
    "file_unread": "I could not get that file from Discord. Try again.",
    "file_gone": "That file is not kept any more. Hand it in again: `/hearts replay` with `file`.",
    "several_games": "That file has {count} games. Choose one of them with the option game.",
    # house rules
    "house_names_game": "House rules name their own game: leave the option game out.",
    "too_many_house_rules": "This server already has {count} house rules. Delete one to save another.",
    "too_many_own_house_rules": "You've saved {count} house rules here. Delete one to save another.",
    "no_such_house_rules": "This server has no house rules called {name}.",
    "not_your_house_rules": "Somebody else saved {name}: only they or who manages the server can change it.",
    # the bot
    "asked_too_often": "You're asking faster than I can answer: try again in a few seconds.",
    "still_answering": "I'm still working on your last request: ask again once it's answered.",
    "too_many_ask": "Too many players are asking for that right now: try again in a minute.",
    "server_manager_only": "Only somebody who may manage the server can do that.",
    "bot_may_not_post": "I may not write here: somebody must let me view this channel and send messages.",
    "bot_may_not_post_there": "I may not write there: somebody must let me view it and send messages.",
    "owner_only": "Only whoever runs this bot can see that.",
    "cannot_save": "I cannot save anything just now, so nothing was changed. Wait a little and try again.",
    "cannot_read": "I cannot read what is stored just now. Wait a little and try again.",
    "cannot_load": "I can't look that up right now: try again in a minute.",
    "damaged": "What is stored of this is damaged: whoever runs the bot can find in its log what is wrong.",
}


def refused(refusal: Refusal) -> Whisper:
    """The refusal as people read it."""
    text = sentence(refusal)
    match refusal.id:
        case "away" if "table" in refusal.values:
            return Whisper((text, (come_back(refusal.values["table"]),)))
        case "in_mid_game" | "seat_lost":
            return Whisper((text, (take_a_seat(refusal.values["table"]),)))
    return Whisper((text,))


def sentence(refusal: Refusal) -> str:
    """What is wrong, and what can be done about it."""
    words = {name: person(_in_words(name, value), LONGEST_VALUE) for name, value in refusal.values.items()}
    return SENTENCES[refusal.id].format(**words)


def _in_words(name: str, value: Any) -> str:
    """A value of the refusal; an option goes by the words that the lobby's Rules has for it."""
    if name == "option":
        return f"“{TITLES.get(value, value)}”"
    return sentences.in_words(name, value)
