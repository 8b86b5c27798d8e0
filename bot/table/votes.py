"""How a game ends early: the question to one player, the post that asks everyone, and the result."""

from collections.abc import Iterator
from typing import Literal

from bot.vocabulary.controls import LOBBY, Action, Where, Who
from bot.vocabulary.messages import Button, Colour, Part, Post, Row, Style, Whisper
from bot.words.buttons import come_back
from bot.words.text import bold, in_a_row, mentions, names, person, place_of
from engine.languages import N_
from engine.play.views import SeatView
from engine.tables import PublicTable, Vote, VoteOutcome

#: The question to everyone, and the proposal by whether a deal is complete.
HEADING = N_("End this game?")
WANTS = {
    True: N_("{who} asks to end it now: it counts as it stands."),
    False: N_("{who} asks to end it now, without a result."),
}
#: The result if more than half agreed, by whether a deal is complete.
AGREED = {
    True: N_("**More than half agreed**: the game counts as it stands."),
    False: N_("**More than half agreed**: the game ends without a result."),
}
ASKED = N_("I've asked in the channel: everyone at the table can answer there.")


class Stop(Action, verb="stop", who=Who.CHANNEL_MANAGER, where=Where.CHANNEL, private=True):
    """Stop the game at once, without a result."""


class Keep(Action, verb="keep", who=Who.ANYONE, where=LOBBY, private=True):
    """Don't end the game."""


class Propose(Action, verb="propose", who=Who.PLAYER, where=LOBBY, private=True, posts=True):
    """End the game, or ask everyone at the table to agree to that."""


class AnswerVote(Action, verb="vote", who=Who.PLAYER, where=Where.CHANNEL | Where.DM):
    """Answer the vote with this number."""

    vote: int
    answer: Literal["yes", "no"]


def end_question(table: PublicTable, *, may_end: bool, may_manage: bool) -> Whisper:
    """The question to confirm before a player ends the game or proposes it, or a manager stops it."""
    if table.view is None:
        control = Propose(table.id) if may_end else Stop(table.id)
        return Whisper((table.say("Close this table?"), (_red(table.say("Close"), control), _go_on(table))))
    lines = [f"### {table.say(HEADING)}"]
    row: Row = (_go_on(table),)
    if may_end:
        rule = [table.say("It ends once more than half agree.")] if table.asks_all else []
        lines.append(table.language.sentences([*rule, _counts(table)]))
        row = (_red(table.say("End"), Propose(table.id)), *row)
    if may_manage:
        note = table.say(
            "You may manage this channel, so you can also stop it without a result. The table is told "
            "who did."
        )
        lines.append(f"-# {note}")
        row = (*row, _red(table.say("Stop without a result"), Stop(table.id)))
    return Whisper(("\n".join(lines), row))


def _counts(table: PublicTable) -> str:
    """What ending the game now would mean."""
    leaders = _leaders(table)
    if not leaders:
        return table.say("No deal is complete yet, so there will be no result.")
    return table.say_count(
        len(leaders),
        "It counts as it stands: {who} would win.",
        "It counts as it stands: {who} would win.",
        who=names(table, leaders),
    )


def _red(label: str, control: Propose | Stop) -> Button:
    return Button(label, control, Style.RED)


def _go_on(table: PublicTable) -> Button:
    return Button(table.say("Go on"), Keep(table.id))


def _is_counted(table: PublicTable) -> bool:
    """Whether a deal is complete."""
    return bool(table.view and table.view.history)


def _leaders(table: PublicTable) -> tuple[int, ...]:
    """The seats that would win if the game ended now; none before the first complete deal."""
    view = table.view
    return table.leaders(view.totals) if view and view.history else ()


def vote_key(vote: Vote) -> str:
    """The key of the post that asks everyone."""
    return f"vote{vote.number}"


def vote_post(table: PublicTable, vote: Vote) -> Post:
    """The question to everyone, their answers and, once it is closed, the result."""
    heading = f"### {table.say(HEADING)}\n{_proposal(table, vote)}"
    if not vote.is_open:
        return Post(("\n".join([heading, *_answers(table, vote), *_outcome(table, vote)]),), Colour.DONE)
    needed = [f"-# {line}" for line in (*_away(table, vote), _needed(table))]
    lines = [heading, *_standing(table), *_answers(table, vote), *needed]
    people = [table.seats[seat].person for seat in sorted(table.seats.voters - vote.agreed)]
    ping = tuple([person for person in people if person is not None])
    parts: tuple[Part, ...] = ("\n".join(lines), _ways_to_answer(table, vote))
    return Post(parts, Colour.TURN, call=mentions(ping), ping=ping)


def _ways_to_answer(table: PublicTable, vote: Vote) -> Row:
    ids = (table.id, vote.number)
    return (
        Button(table.say("Agree"), AnswerVote(*ids, "yes"), Style.MAIN),
        Button(table.say("Play on"), AnswerVote(*ids, "no")),
    )


def asked_by_dm(table: PublicTable, vote: Vote, seat: int) -> Whisper:
    """The question to a player who is away, who can answer without coming back."""
    text = f"### {table.say(HEADING)}\n{place_of(table)}\n{_proposal(table, vote)}"
    if not vote.is_open:
        return Whisper(("\n".join([text, *_outcome(table, vote)]),), Colour.DONE, is_final=True)
    lines = [text, *_standing(table)]
    if seat in vote.agreed:
        lines.append(table.say("✅ You agreed."))
    elif seat in vote.refused:
        lines.append(table.say("❌ You want to play on."))
    back = (come_back(table.id, table.language),) if table.seats[seat].away else ()
    return Whisper(("\n".join(lines), (*_ways_to_answer(table, vote), *back)), Colour.TURN)


def in_hand(table: PublicTable, view: SeatView) -> Iterator[str]:
    """The line about an open vote in a player's hand, until they have answered."""
    vote = table.vote
    if vote and vote.is_open and view.seat not in vote.agreed | vote.refused:
        asker, channel = _asker(table, vote), f"<#{table.channel}>"
        yield table.say("🗳️ {who} asks to end this game: answer in {channel}.", who=asker, channel=channel)


def _proposal(table: PublicTable, vote: Vote) -> str:
    return table.say(WANTS[_is_counted(table)], who=_asker(table, vote))


def _asker(table: PublicTable, vote: Vote) -> str:
    return table.say("Someone") if vote.asker is None else bold(table, vote.asker)


def _standing(table: PublicTable) -> Iterator[str]:
    """The totals that would count."""
    view, leaders = table.view, _leaders(table)
    if view is None or not leaders:
        return
    totals = [
        f"{person(name, table.language)} {table.language.number(total)}"
        for name, total in zip(table.names, view.totals, strict=True)
    ]
    yield table.say_count(
        len(leaders),
        "{totals}: {who} would win.",
        "{totals}: {who} would win.",
        totals=in_a_row(totals),
        who=names(table, leaders),
    )


def _answers(table: PublicTable, vote: Vote) -> Iterator[str]:
    silent = _silent(table, vote) if vote.is_open else frozenset()
    groups = (
        (N_("✅ Agreed: {who}"), vote.agreed),
        (N_("❌ Against: {who}"), vote.refused),
        (N_("⏳ Not yet: {who}"), silent),
    )
    yield from [table.say(words, who=names(table, sorted(seats))) for words, seats in groups if seats]


def _silent(table: PublicTable, vote: Vote) -> frozenset[int]:
    """The seats whose players have not answered yet."""
    return table.seats.voters - vote.agreed - vote.refused


def _away(table: PublicTable, vote: Vote) -> Iterator[str]:
    """The players who are away and have not answered."""
    if away := [seat for seat in sorted(_silent(table, vote)) if table.seats[seat].away]:
        yield table.say_count(
            len(away),
            "{who} is away and also asked by DM.",
            "{who} are away and also asked by DM.",
            who=names(table, away),
        )


def _needed(table: PublicTable) -> str:
    """How many have to agree, and until when."""
    sentences = [table.say("It ends once more than half agree.")]
    if (until := table.vote_ends_at) is not None:
        sentences.append(table.say("The question closes {time}.", time=f"<t:{int(until)}:R>"))
    return table.language.sentences(sentences)


def _outcome(table: PublicTable, vote: Vote) -> Iterator[str]:
    match vote.outcome:
        case VoteOutcome.AGREED:
            yield table.say(AGREED[_is_counted(table)])
        case VoteOutcome.TOO_FEW:
            yield table.say("**Too few agree**: the game goes on.")
            if vote.until:
                line = table.say("It can't be proposed again until {time}.", time=f"<t:{int(vote.until)}:f>")
                yield f"-# {line}"
        case VoteOutcome.ENDED:
            yield table.say("The game has ended in the meantime.")
