"""What a table is told besides its cards: reminders, time that is up, who leaves and comes back."""

from __future__ import annotations

from bot.messages import Button, Colour, Post, Style, action
from bot.render.text import names, until
from bot.render.tricks import my_hand
from engine.tables import Notice, NoticeKind, PublicTable, State


def notice(table: PublicTable, told: Notice) -> Post:
    """The post for this notice."""
    who = names(table, told.seats)
    match told.kind:
        case NoticeKind.REMINDER | NoticeKind.EXPOSING_REMINDER:
            people = [table.seats[seat].person for seat in told.seats]
            pinged = tuple(person for person in people if person is not None)
            call = " ".join(f"<@{person}>" for person in pinged)
            time = until(table, told.deadline)
            waits = f"the table waits for you{time}"
            text = f"⏰ {who}: {waits}. Then a computer plays that turn."
            if told.kind is NoticeKind.EXPOSING_REMINDER:
                text = f"⏰ {who}: whoever can still expose a card, {waits}. Then play begins."
            return Post((text,), Colour.TURN, call=call, ping=pinged)
        case NoticeKind.TIME_UP:
            return Post((f"⏰ The time was up: a computer has played for {who}.",), Colour.DONE)
        case NoticeKind.EXPOSING_OVER:
            return Post(("⏰ The time was up: nothing more is exposed.",), Colour.DONE)
        case NoticeKind.SEAT_KEPT:
            text = f"⏰ The time was up again: a computer plays for {who} from now on."
            return Post((text + _nobody(table), *_back(table)), Colour.DONE)
        case NoticeKind.LEFT:
            text = f"{who} has left: a computer plays on, and the seat stays theirs."
            return Post((text + _nobody(table), *_back(table)), Colour.DONE)
        case NoticeKind.BACK:
            return Post((f"{who} is back.",), Colour.DONE)
        case NoticeKind.RESUMED:
            return Post(("The game goes on where it was.",), Colour.DONE)
        case NoticeKind.DMS_CLOSED:
            text = f"{who}: my DMs do not reach you. Press **My hand** to see and play your cards."
            return Post((text, (my_hand(table),)))
        case NoticeKind.LOBBY_CLOSED:
            return Post(("The table was closed: nothing happened in its lobby for an hour.",), Colour.DONE)
        case NoticeKind.DESERTED:
            return Post(("The table was closed: everybody had left it.",), Colour.DONE)
        case NoticeKind.ABANDONED:
            return Post(("The table was closed: for a week I could not write here.",), Colour.DONE)
        case NoticeKind.CHANNEL_GONE:
            return Post(("The table was closed: its channel is gone.",), Colour.DONE)


def _nobody(table: PublicTable) -> str:
    return "" if table.people else "\nNobody is left at the table, so the game waits for a day."


def _back(table: PublicTable) -> list[tuple[Button, ...]]:
    if table.state is not State.PLAYING:
        return []
    return [(Button("I'm back", action("back", table.id), Style.GOOD),)]
