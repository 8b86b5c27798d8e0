"""Notices to a table: reminders, time that is up, and players who leave and come back."""

from __future__ import annotations

from collections.abc import Iterator

from bot.controls import TryAgain
from bot.messages import Button, Colour, Post, Style, Whisper
from bot.render.buttons import come_back, my_hand, to_table
from bot.render.deadlines import moment, timed
from bot.render.latecomers import seat_to_take
from bot.render.text import bold, for_count, mentions, names, person, player
from engine.tables import Notice, NoticeKind, PublicTable, State

_TEXTS = {
    NoticeKind.TIME_UP: "⏰ Time's up: a computer played for {who}.",
    NoticeKind.EXPOSING_OVER: "⏰ Time's up: nothing more is exposed.",
    NoticeKind.SEAT_KEPT: "⏰ Time's up again: a computer plays for {who} from now on.",
    NoticeKind.LEFT_SERVER: "{who} has left the server: a computer plays on.",
    NoticeKind.SEAT_GIVEN_UP: "A player has left for good: 🤖 {who} has taken the seat.",
    NoticeKind.BACK: "{who} is back.",
    NoticeKind.BACK_IN_TIME: "{who} is back in time and keeps the seat.",
    NoticeKind.SEAT_FREE: "{who}'s seat is no longer being taken over.",
    NoticeKind.SEATS_OPENED: "{who} has opened the seats: anyone may take a computer's with the next deal.",
    NoticeKind.SEATS_CLOSED: "{who} has closed the seats: nobody can take a computer's in this game now.",
    NoticeKind.PACE_CHANGED: "{who} has changed the pace to **{pace}**, from this turn on.",
    NoticeKind.RESUMED: "The game continues where it left off.",
    NoticeKind.DMS_CLOSED: "{who}: I can't DM you. Press **My hand** to see and play your cards.",
    NoticeKind.DMS_LATE: (
        "{who}: Discord is holding back my DM to you. Until then, press **My hand** to play."
    ),
    NoticeKind.LOBBY_CLOSED: "The table was closed: nothing happened in its lobby for an hour.",
    NoticeKind.DESERTED: "The table was closed: everyone had left it.",
    NoticeKind.ABANDONED: "The table was closed: I couldn't write here for a week.",
    NoticeKind.CHANNEL_GONE: "The table was closed: its channel is gone.",
    NoticeKind.MODERATED: "**{moderator}**, who may manage this channel, has stopped the game.",
}
#: Without a time limit, with a near deadline, and with one that is hours away.
_REMINDERS = {
    NoticeKind.REMINDER: (
        "⏰ {who}: the table is waiting for you. Then a computer plays your turn.",
        "⏰ {who}: the table is waiting for you, deadline {time}. Then a computer plays your turn.",
        "⏰ {who}: the table is waiting for you until {time}. Then a computer plays your turn.",
    ),
    NoticeKind.EXPOSING_REMINDER: (
        "⏰ {who}: if you can still expose a card, the table is waiting for you. Then play begins.",
        "⏰ {who}: if you can still expose a card, the table is waiting for you, deadline {time}. "
        "Then play begins.",
        "⏰ {who}: if you can still expose a card, the table is waiting for you until {time}. "
        "Then play begins.",
    ),
}


def notice(table: PublicTable, told: Notice) -> Post:
    """The post for this notice."""
    if told.kind is NoticeKind.SEAT_WANTED:
        return _wanted(table, told)
    text = _sentence(table, told).format(
        who=names(table, told.seats), pace=table.pace.title, moderator=_moderator(table, told)
    )
    match told.kind:
        case NoticeKind.REMINDER | NoticeKind.EXPOSING_REMINDER:
            return _reminder(table, told, text)
        case NoticeKind.SEAT_KEPT | NoticeKind.AWAY_TOO_LONG | NoticeKind.LEFT | NoticeKind.LEFT_SERVER:
            waited_for = _waited_for(table, told) if told.kind is NoticeKind.SEAT_KEPT else ()
            lines = [" ".join([text, *waited_for]), *_deserted(table)]
            return Post(("\n".join(lines), *_ways_in(table, come_back(table.id))), Colour.DONE)
        case NoticeKind.SEAT_GIVEN_UP:
            return Post(("\n".join([text, *_deserted(table)]),), Colour.DONE)
        case NoticeKind.SEAT_FREE | NoticeKind.SEATS_OPENED | NoticeKind.BACK_IN_TIME:
            return Post((text, *_ways_in(table)), Colour.DONE)
        case NoticeKind.DMS_CLOSED | NoticeKind.DMS_LATE:
            return Post((text, (my_hand(table),)))
        case _:
            return Post((text,), Colour.DONE)


def _sentence(table: PublicTable, told: Notice) -> str:
    """What the notice says, with placeholders for names."""
    match told.kind:
        case NoticeKind.REMINDER | NoticeKind.EXPOSING_REMINDER:
            return timed(table, *_REMINDERS[told.kind], told.deadline, who="{who}")
        case NoticeKind.AWAY_TOO_LONG:
            return for_count(
                len(told.seats),
                "⏰ {who} was away for too long and counts as having left.",
                "⏰ {who} were away for too long and count as having left.",
            )
        case NoticeKind.LEFT if table.takes_latecomers:
            return "{who} has left: a computer plays on, and their seat is kept until someone else takes it."
        case NoticeKind.LEFT:
            return "{who} has left: a computer plays on, and their seat is kept."
        case kind:
            return _TEXTS[kind]


def _moderator(table: PublicTable, told: Notice) -> str:
    """The person who stopped the game; the name of somebody who is not at the table is not stored."""
    at_table = [table.seats[seat].name for seat in told.seats]
    name = table.moderator or next(iter(at_table), None)
    return "Someone" if name is None else person(name)


def _waited_for(table: PublicTable, told: Notice) -> Iterator[str]:
    """How long the others can't end the game without the players who are away."""
    times = [until for seat in told.seats if (until := table.seats[seat].kept_until) is not None]
    if times and table.asks_all:
        yield f"The game can't end without them before {moment(table, max(times))}."


def paused(table: PublicTable) -> Whisper:
    """The DM to the host of a table whose channel we may not write in."""
    text = (
        f"### The game is paused\n{table.rules.preset.title} in <#{table.channel}>: I can no longer "
        "write there. Once I may view it and send messages again, the game continues where it left off; "
        "after a week it is closed."
    )
    row = (
        Button("Try again", TryAgain(table.id), Style.MAIN),
        to_table(table),
    )
    return Whisper((text, row))


def _reminder(table: PublicTable, told: Notice, text: str) -> Post:
    people = [table.seats[seat].person for seat in told.seats]
    pinged = tuple(person for person in people if person is not None)
    return Post((text, (my_hand(table),)), Colour.TURN, call=mentions(pinged), ping=pinged)


def _deserted(table: PublicTable) -> Iterator[str]:
    if not table.has_people:
        yield "Nobody is left at the table, so the game waits for a day."


def _wanted(table: PublicTable, told: Notice) -> Post:
    """Says that somebody takes a seat with the next deal, and calls its player, who may still come back."""
    [number] = told.seats
    seat, claim = table.seats[number], table.claim_on(number)
    if claim is None:  # the next deal has come
        return Post((f"👋 {bold(table, number)} has taken the seat.",), Colour.DONE)
    text = f"👋 **{person(claim.name)}** takes the seat of {player(table, number)} with the next deal."
    if seat.person is None:
        return Post((text,), Colour.DONE)
    text += f" {bold(table, number)}, it's still yours if you come back before then."
    ping = (seat.person,)
    return Post((text, (come_back(table.id),)), Colour.TURN, call=mentions(ping), ping=ping)


def _ways_in(table: PublicTable, *back: Button) -> list[tuple[Button, ...]]:
    """The buttons for coming back, and for joining."""
    row = (*back, *seat_to_take(table))
    return [row] if row and table.state is State.PLAYING else []
