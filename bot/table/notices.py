"""Notices to a table, such as reminders, turns that timed out, and players who leave or come back."""

from collections.abc import Iterator

from bot.table.latecomers import seat_to_take
from bot.vocabulary.controls import Action, Where, Who
from bot.vocabulary.messages import Button, Colour, Post, Style, Whisper
from bot.words.buttons import come_back, my_hand, to_table
from bot.words.deadlines import with_deadline
from bot.words.text import bold, mentions, names, person, player
from engine.languages import N_, Language
from engine.tables import Notice, NoticeKind, PublicTable, State

_TEXTS = {
    NoticeKind.TIME_UP: N_("⏰ Time's up: a computer played for {who}."),
    NoticeKind.EXPOSING_OVER: N_("⏰ Time's up: nothing more is exposed."),
    NoticeKind.SEAT_KEPT: N_("⏰ Time's up again: a computer plays for {who} from now on."),
    NoticeKind.LEFT_SERVER: N_("{who} has left the server: a computer plays on."),
    NoticeKind.SEAT_GIVEN_UP: N_("A player has left for good: 🤖 {who} has taken the seat."),
    NoticeKind.BACK: N_("{who} is back."),
    NoticeKind.BACK_IN_TIME: N_("{who} is back in time and keeps the seat."),
    NoticeKind.SEAT_FREE: N_("{who}'s seat is no longer being taken over."),
    NoticeKind.SEATS_OPENED: N_(
        "{who} has opened the seats: anyone may take a computer's with the next deal."
    ),
    NoticeKind.SEATS_CLOSED: N_("{who} has closed the seats: nobody can take a computer's in this game now."),
    NoticeKind.PACE_CHANGED: N_("{who} has changed the pace to **{pace}**, from this turn on."),
    NoticeKind.RESUMED: N_("The game continues where it left off."),
    # Note: To one player, or to several.
    NoticeKind.DMS_CLOSED: N_("{who}: I can't DM you. Press **My hand** to see and play your cards."),
    # Note: To one player, or to several.
    NoticeKind.DMS_LATE: N_(
        "{who}: Discord is holding back my DM to you. Until it arrives, press **My hand** to play."
    ),
    NoticeKind.START_PLANNED: N_("🕗 {who} has planned the start: {time} ({distance})."),
    NoticeKind.START_DROPPED: N_("🕗 {who} has dropped the planned start: the game starts with **Start**."),
    NoticeKind.NOBODY_CAME: N_(
        "🕗 Nobody was here for the planned start at {time}, so nothing was dealt. The table stays open for "
        "an hour: press **Start** when you're here."
    ),
    NoticeKind.START_MISSED: N_(
        "🕗 I was away at {time}, when the game was to start. The table stays open for an hour: press "
        "**Start** when you're here, or plan another time."
    ),
    NoticeKind.STARTED_WITHOUT: N_(
        "🕗 The game has started. A computer plays for {who} until they come: **I'm back** takes the cards "
        "over."
    ),
    NoticeKind.LOBBY_CLOSED: N_("The table was closed: nothing happened in its lobby for an hour."),
    NoticeKind.DESERTED: N_("The table was closed: everyone had left it."),
    NoticeKind.ABANDONED: N_("The table was closed: I couldn't write here for a week."),
    NoticeKind.CHANNEL_GONE: N_("The table was closed: its channel is gone."),
    NoticeKind.ROUND_OVER: N_("⏰ Computers have finished the deal: the round is over at this table."),
    NoticeKind.TOURNAMENT_STOPPED: N_("The table was closed: the tournament was stopped."),
}
_REMINDERS = {
    # Note: To one player, or to several.
    NoticeKind.REMINDER: N_(
        "⏰ {who}: the table is waiting for you. When time is up, a computer plays your turn."
    ),
    # Note: To one player, or to several.
    NoticeKind.EXPOSING_REMINDER: N_(
        "⏰ {who}: if you can still expose a card, the table is waiting for you. "
        "When time is up, play begins."
    ),
}


class TryAgain(Action, verb="retry", who=Who.PLAYER, where=Where.DM):
    """Resume a paused game if the bot can write in its channel again."""


def notice_post(table: PublicTable, notice: Notice) -> Post:
    """The post for this notice."""
    if notice.kind is NoticeKind.SEAT_WANTED:
        return _claimed(table, notice)
    text = _sentence(table, notice)
    match notice.kind:
        case NoticeKind.REMINDER | NoticeKind.EXPOSING_REMINDER:
            return _reminder(table, notice, text)
        case NoticeKind.SEAT_KEPT | NoticeKind.AWAY_TOO_LONG | NoticeKind.LEFT | NoticeKind.LEFT_SERVER:
            lines = [text, *_deserted(table)]
            return Post(
                ("\n".join(lines), *_ways_in(table, come_back(table.id, table.language))), Colour.DONE
            )
        case NoticeKind.STARTED_WITHOUT:
            return Post((text, (come_back(table.id, table.language),)), Colour.DONE)
        case NoticeKind.SEAT_GIVEN_UP:
            return Post(("\n".join([text, *_deserted(table)]),), Colour.DONE)
        case NoticeKind.SEAT_FREE | NoticeKind.SEATS_OPENED | NoticeKind.BACK_IN_TIME:
            return Post((text, *_ways_in(table)), Colour.DONE)
        case NoticeKind.DMS_CLOSED | NoticeKind.DMS_LATE:
            return Post((text, (my_hand(table),)))
        case _:
            return Post((text,), Colour.DONE)


def _sentence(table: PublicTable, notice: Notice) -> str:
    who = names(table, notice.seats)
    match notice.kind:
        case NoticeKind.REMINDER | NoticeKind.EXPOSING_REMINDER:
            return with_deadline(table, table.say(_REMINDERS[notice.kind], who=who), notice.deadline)
        case NoticeKind.AWAY_TOO_LONG:
            return table.say_count(
                len(notice.seats),
                "⏰ {who} was away for too long and counts as having left.",
                "⏰ {who} were away for too long and count as having left.",
                who=who,
            )
        case NoticeKind.LEFT if table.takes_latecomers:
            return table.say(
                "{who} has left: a computer plays on, and their seat is kept until someone else takes it.",
                who=who,
            )
        case NoticeKind.LEFT:
            return table.say("{who} has left: a computer plays on, and their seat is kept.", who=who)
        case NoticeKind.START_PLANNED | NoticeKind.NOBODY_CAME | NoticeKind.START_MISSED:
            at = int(notice.deadline or 0)
            return table.say(_TEXTS[notice.kind], who=who, time=f"<t:{at}:f>", distance=f"<t:{at}:R>")
        case NoticeKind.MODERATED:
            return _moderated(table, notice)
        case kind:
            return table.say(_TEXTS[kind], who=who, pace=table.say(table.pace.title))


def _moderated(table: PublicTable, notice: Notice) -> str:
    """Who stopped the game: the name of someone who isn't at the table isn't stored, so it may be unknown."""
    at_table = [table.names[seat] for seat in notice.seats]
    name = table.moderator or next(iter(at_table), None)
    if name is None:
        return table.say("**Someone**, who may manage this channel, has stopped the game.")
    who = f"**{person(name, table.language)}**"
    return table.say("{who}, who may manage this channel, has stopped the game.", who=who)


def paused(table: PublicTable) -> Whisper:
    """The DM to the host of a table in whose channel we may not write."""
    reason = N_(
        "{game} in {channel}: I can no longer write there. Once I may view it and send messages again, "
        "the game continues where it left off; after a week it is closed."
    )
    return _paused(table, reason)


def late(table: PublicTable) -> Whisper:
    """The DM to the host of a table whose game waits for a post that can't be sent."""
    reason = N_(
        "{game} in {channel}: Discord isn't taking my messages there. I keep trying, and the game goes on as "
        "soon as they arrive; after a week it is closed."
    )
    return _paused(table, reason)


def _paused(table: PublicTable, reason: str) -> Whisper:
    game, channel = table.say(table.rules.preset.title), f"<#{table.channel}>"
    text = table.say(reason, game=game, channel=channel)
    row = (Button(table.say("Try again"), TryAgain(table.id), Style.MAIN), to_table(table))
    return Whisper((f"### {table.say('The game is paused')}\n{text}", row))


def _reminder(table: PublicTable, notice: Notice, text: str) -> Post:
    people = [table.seats[seat].person for seat in notice.seats]
    pinged = tuple(person for person in people if person is not None)
    return Post((text, (my_hand(table),)), Colour.TURN, call=mentions(pinged), ping=pinged)


def _deserted(table: PublicTable) -> Iterator[str]:
    if not table.has_people:
        yield table.say("Nobody is left at the table, so the game waits for a day.")


def _claimed(table: PublicTable, notice: Notice) -> Post:
    """The post about a seat claimed for the next deal; it mentions the player, who may still come back."""
    [number] = notice.seats
    seat, claim = table.seats[number], table.claim_on(number)
    if claim is None:  # the next deal has come
        sentence = table.say("{who} has taken the seat.", who=bold(table, number))
        return Post((f"👋 {sentence}",), Colour.DONE)
    sentence = table.say(
        "{who} takes the seat of {occupant} with the next deal.",
        who=f"**{person(table.name_of_guest(claim), table.language)}**",
        occupant=player(table, number),
    )
    if seat.person is None:
        return Post((f"👋 {sentence}",), Colour.DONE)
    offer = table.say("{who}, it's still yours if you come back before then.", who=bold(table, number))
    text = f"👋 {table.language.sentences([sentence, offer])}"
    ping = (seat.person,)
    return Post((text, (come_back(table.id, table.language),)), Colour.TURN, call=mentions(ping), ping=ping)


def _ways_in(table: PublicTable, *back: Button) -> list[tuple[Button, ...]]:
    """A row with the button `back`, if given, and the one for taking a seat."""
    row = (*back, *seat_to_take(table))
    return [row] if row and table.state is State.PLAYING else []


# Trouble with the database


def cannot_save(language: Language) -> Post:
    """The post about a change that couldn't be saved."""
    text = language.say(
        "⏳ I can't save anything right now, so the game waits. Nothing is lost: "
        "wait a little, then repeat your last action."
    )
    return Post((text,), Colour.TURN)


def cannot_be_read(table: int, language: Language) -> Post:
    """The post about a table whose rows are damaged."""
    text = language.sentences(
        [
            language.say("My data about the game in this channel is damaged."),
            language.say(
                "I haven't deleted it: my owner can find it in my log as table {number}, and once it's "
                "repaired, the game goes on.",
                number=table,
            ),
            language.say("Until then `/hearts new` opens another table here."),
        ]
    )
    heading = language.say("This table can't go on")
    return Post((f"### {heading}\n{text}",), Colour.DONE, never_edited=True)


def moves_taken_back(language: Language) -> Post:
    """The post about moves that are gone because an older copy of the database was restored."""
    heading = language.say("Some moves were taken back")
    text = language.say(
        "My owner went back to an older copy of my data, so the last moves here are gone. "
        "If the game itself is gone, `/hearts new` opens another."
    )
    return Post((f"### {heading}\n{text}",), Colour.TURN, never_edited=True)
