"""What somebody may not do, told so that they can do what they may: every sentence that refuses something."""

from __future__ import annotations

from typing import Any

from bot.messages import Whisper
from bot.render.buttons import come_back, take_a_seat
from bot.render.text import person
from engine import sentences
from engine.errors import Refusal
from engine.languages import ENGLISH
from engine.rules.options import OPTIONS

#: Columns of a value in a sentence: in a command's option anybody can write a book.
LONGEST_VALUE = 100
#: By the refusal's id; in braces its values. What the rules refuse is said as the engine says it.
SENTENCES = sentences.SENTENCES | {
    # a turn
    "not_your_turn": "It's not your turn yet: the table shows whose it is.",
    "not_passing": "There's nothing to pass now. Press **My hand** to see what you can do.",
    "all_picked": "You've chosen all the cards to pass: tap one of them to put it back.",
    "not_exposing": "No card can be exposed now. Press **My hand** to see what you can do.",
    "not_playing": "No card can be played now. Press **My hand** to see what you can do.",
    "stale": "The game has moved on since that message. Press **My hand** at the table to see your cards.",
    "paused": "The game is paused because I can't write in its channel. If I can within a week, it goes on.",
    "away": "A computer is playing your cards. Press **I'm back**, and they're yours again.",
    "nothing_to_hint": "There's nothing to choose now that a hint could help with.",
    "no_hints": "This table gives no hints. In the lobby, its host chooses who may ask, under **Rules**.",
    "no_advice": "Too many players are asking right now. Try again in a minute.",
    "getting_ready": "I'm getting ready to think. On a new machine that takes a minute: ask again soon.",
    # a table
    "table_gone": "This table is closed. Start a new one with `/hearts new`.",
    "no_table": "No game is going on in this channel. Open a table with `/hearts new`.",
    "no_game_here": "No game has been played in this channel yet.",
    "table_in_channel": (
        "This channel already has a table: `/hearts join` takes a seat there. "
        "Open yours in another channel or a thread."
    ),
    "players_away": (
        "The players of the game in this channel are away but may still come back. "
        "Try again later, or open yours in another channel or a thread."
    ),
    "no_rematch": "Only players who finished can start a rematch. Then anyone else can press **Join**.",
    "rematch_open": "The rematch is already open: its table is further down in this channel.",
    "table_full": "All seats are taken. Open another table in another channel or thread.",
    "seats_taken": "{seated} are already seated, so a table for {players} is too small.",
    "already_seated": "You already have a seat here: **My hand** shows your cards once they are dealt.",
    "not_seated": "You're not at this table. Press **Join** before the start, **Take a seat** later.",
    "in_mid_game": "This game has started without you. Take a seat and you play from the next deal.",
    "seat_lost": "Someone else has your seat now. Take another and you play from the next deal.",
    "seat_taken": "That seat is no longer free. Press **Take a seat** for another one.",
    "already_taking": "You already have a seat from the next deal. `/hearts leave` cancels that.",
    "not_taking": "You aren't waiting for a seat: you have one by now, or you cancelled.",
    "no_latecomers": "The host has closed this game to latecomers.",
    "no_computer": "No computer has a seat here.",
    "no_free_seat": "Every seat is taken: you can have only a computer's, or the seat of someone who left.",
    "not_your_deal": "You didn't play in that deal.",
    "already_started": "The game has already started. That has to wait for the next one.",
    "leaves_game": "The game has started. Leave it with `/hearts leave`, and a computer plays your cards.",
    "not_started": "The game hasn't started yet: its host presses **Start**.",
    "host_only": "Only {host}, the host of this table, can do that.",
    "no_host": "Only the host can do that, and this table no longer has one.",
    "may_not_stop": "Only {host} can stop this table, or someone who may manage the channel.",
    "ask_to_stop": "Everyone at this table has to agree to that: a player can ask with `/hearts stop`.",
    "vote_open": "Everyone is already being asked. First answer that question, in the channel.",
    "vote_over": "That question is no longer open.",
    "vote_rests": "Everyone was asked that recently. The channel shows when you can ask again.",
    "nobody_to_agree": "Nobody else is at the table to agree. `/hearts stop` ends the game without a result.",
    "nothing_counts_yet": "No deal is complete yet, so nothing would count. `/hearts stop` ends the game.",
    "only_manager_may_stop": "Only someone who may manage the channel can stop this table.",
    # the daily deal
    "played_today": "You've played today's deals. `/hearts daily` shows how you did.",
    "seen_today": "You've already seen today's deals. The next are dealt at midnight (UTC).",
    "daily_over": "That game is over. `/hearts daily` shows how it went.",
    "day_not_over": "Others are still playing these deals: you can see the cards when the day is over (UTC).",
    "no_such_day": "There were no daily deals on that day.",
    "begins_in_server": "Today's deals start in a server: use `/hearts daily` there.",
    "already_shared": "There's nothing to share, or you've already shared it.",
    # a replay
    "nothing_done": "No deal is over yet, so there's nothing to replay yet.",
    "file_too_large": "That file is too large for a game: the limit is {most} kB.",
    "file_empty": "That file is empty.",
    "file_unread": "I couldn't get that file from Discord. Try again.",
    "file_gone": "I no longer have that file. Upload it again: `/hearts replay` with `file`.",
    "several_games": "That file has {count} games. Choose one of them with the option `game`.",
    # house rules
    "house_names_game": "House rules name their own game: leave out the option `game`.",
    "too_many_house_rules": "This server already has {count} house rules. Delete one to save another.",
    "too_many_own_house_rules": "You've saved {count} house rules here. Delete one to save another.",
    "no_such_house_rules": "This server has no house rules called {name}.",
    "not_your_house_rules": "Someone else saved {name}: only they or a manager of the server can change it.",
    # the bot
    "asked_too_often": "You're asking faster than I can answer: try again in a few seconds.",
    "still_answering": "I'm still working on your last request: ask again once it's answered.",
    "too_many_ask": "Too many players are asking for that right now: try again in a minute.",
    "server_manager_only": "Only someone who may manage the server can do that.",
    "bot_may_not_post": "I can't write here: someone must let me view this channel and send messages.",
    "bot_may_not_post_there": "I can't write there: someone must let me view it and send messages.",
    "owner_only": "Only the bot's owner can see that.",
    "cannot_save": "I can't save anything right now, so nothing was changed. Wait a little and try again.",
    "cannot_read": "I can't read what is stored right now. Wait a little and try again.",
    "cannot_load": "I can't look that up right now: try again in a minute.",
    "damaged": "What is stored of this is damaged: the bot's owner can find the details in its log.",
}


def refused(refusal: Refusal) -> Whisper:
    """The refusal as people read it."""
    text = sentence(refusal)
    match refusal.id:
        case "away" if "table" in refusal.values:
            return Whisper((text, (come_back(refusal.values["table"], ENGLISH),)))
        case "in_mid_game" | "seat_lost":
            return Whisper((text, (take_a_seat(refusal.values["table"], ENGLISH),)))
    return Whisper((text,))


def sentence(refusal: Refusal) -> str:
    """What is wrong, and what can be done about it."""
    words = {
        name: person(_in_words(name, value), ENGLISH, LONGEST_VALUE) for name, value in refusal.values.items()
    }
    return SENTENCES[refusal.id].format(**words)


def _in_words(name: str, value: Any) -> str:
    """A value of the refusal; an option goes by the words that the lobby's Rules has for it."""
    if name == "option":
        return f"“{OPTIONS[value].title if value in OPTIONS else value}”"
    return sentences.in_words(name, value, ENGLISH)
