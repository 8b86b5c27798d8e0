"""Votes on how a game ends: the question before one, the post that asks everyone, and the result."""

from __future__ import annotations

from collections.abc import Iterator

from bot.controls import AnswerVote, Keep, Propose, Stop
from bot.messages import Button, Colour, Part, Post, Row, Style, Whisper
from bot.render.buttons import come_back
from bot.render.deadlines import moment
from bot.render.text import bold, for_count, in_a_row, mentions, names, person, place_of
from engine.languages import ENGLISH
from engine.play.views import SeatView
from engine.tables import Motion, Outcome, PublicTable, Vote
from engine.tables.voting import Quorum, quorum

GO_ON = "Go on"
#: What everyone is asked, by motion: in the post, and in the hand of a player who has not answered.
HEADINGS = {Motion.STOP: "Stop this game?", Motion.CONCEDE: "Count the game as it stands?"}
WANTS = {
    Motion.STOP: "{who} asks to end it now, without a result.",
    Motion.CONCEDE: "{who} asks to end it now: it counts as it stands.",
}
IN_HAND = {
    Motion.STOP: "🗳️ {who} asks to stop this game: answer in {channel}.",
    Motion.CONCEDE: "🗳️ {who} asks to count the game as it stands: answer in {channel}.",
}
#: How a vote ends that succeeds.
ALL_AGREED = {
    Motion.STOP: "**All agreed**: the game ends without a result.",
    Motion.CONCEDE: "**All agreed**: the game counts as it stands.",
}
ENOUGH_AGREED = {
    Motion.STOP: "**The time was up**, and enough had agreed: the game ends without a result.",
    Motion.CONCEDE: "**The time was up**, and enough had agreed: the game counts as it stands.",
}
ASKED = "I've asked in the channel: everyone at the table can answer there."


def stop_question(table: PublicTable) -> Whisper:
    """The question before somebody stops a game in which nobody else has a say."""
    row = (_stop_at_once(table, "Stop"), _go_on(table))
    if table.view is None:
        return Whisper(("Close this table?", row))
    question = "Stop this game? No result will count."
    if left := [number for number, seat in enumerate(table.seats) if seat.has_left]:
        told = for_count(
            len(left),
            "{who} has left and is not asked. If it's played to the end, the game counts.",
            "{who} have left and are not asked. If it's played to the end, the game counts.",
        )
        question += f"\n-# {told.format(who=names(table, left))}"
    return Whisper((question, row))


def end_question(table: PublicTable, *, may_manage: bool) -> Whisper:
    """The ways in which a player can end a game; with `may_manage` they may also stop it at once."""
    stop = _by_quorum(
        table,
        "**Stop** ends the game without a result, once all agree.",
        "**Stop** ends the game without a result, once all agree; or when the time is up, if {who} does.",
        "**Stop** ends the game without a result, once all agree; or when the time is up, if {who} do.",
    )
    concede = "**Concede** counts it as it stands, once all agree, which needs a complete deal."
    if leaders := _leaders(table):
        concede = f"**Concede** counts it as it stands, once all agree: {leaders} would win."
    about = f"### Ask everyone at the table?\n{stop}\n{concede}"
    row = (_ask(table, Motion.STOP), _ask(table, Motion.CONCEDE), _go_on(table))
    if not may_manage:
        return Whisper((about, row))
    alone = "-# You may manage this channel, so you can also stop it at once. The table is told who did."
    return Whisper((about, row, alone, (_stop_at_once(table, "Stop at once"),)))


def concede_question(table: PublicTable) -> Whisper:
    """The question before everyone is asked to concede."""
    question = (
        "Ask everyone to end the game as it stands? It ends once all agree, which needs a complete deal."
    )
    if leaders := _leaders(table):
        question = f"Ask everyone to end the game as it stands? It ends once all agree: {leaders} would win."
    return Whisper((question, (_ask(table, Motion.CONCEDE), _go_on(table))))


def _ask(table: PublicTable, motion: Motion) -> Button:
    can_be_asked = motion is Motion.STOP or bool(table.view and table.view.history)
    style = Style.MAIN if motion is Motion.CONCEDE else Style.RED
    return Button(motion.value.title(), Propose(table.id, motion), style, enabled=can_be_asked)


def _stop_at_once(table: PublicTable, label: str) -> Button:
    return Button(label, Stop(table.id), Style.RED)


def _go_on(table: PublicTable) -> Button:
    return Button(GO_ON, Keep(table.id))


def _leaders(table: PublicTable) -> str:
    """The players who would win if the game ended now; empty before the first complete deal."""
    view = table.view
    return names(table, table.leaders(view.totals)) if view and view.history else ""


def vote_key(vote: Vote) -> str:
    """The key of the post that asks everybody."""
    return f"vote{vote.number}"


def vote_post(table: PublicTable, vote: Vote) -> Post:
    """The question to everyone, their answers and, once it is closed, the result."""
    heading = f"### {HEADINGS[vote.motion]}\n{_wanted(table, vote)}"
    if not vote.is_open:
        return Post(("\n".join([heading, *_answers(table, vote), *_outcome(vote)]),), Colour.DONE)
    needed = [f"-# {line}" for line in (*_away(table, vote), _needed(table, vote))]
    lines = [heading, *_standing(table, vote), *_answers(table, vote), *needed]
    asked = [table.seats[seat].person for seat in sorted(table.seats.voters - vote.agreed)]
    ping = tuple([person for person in asked if person is not None])
    parts: tuple[Part, ...] = ("\n".join(lines), _ways_to_answer(table, vote))
    return Post(parts, Colour.TURN, call=mentions(ping), ping=ping)


def _ways_to_answer(table: PublicTable, vote: Vote) -> Row:
    here = (table.id, vote.number)
    return (
        Button("Agree", AnswerVote(*here, "yes"), Style.MAIN),
        Button("Play on", AnswerVote(*here, "no")),
    )


def asked_by_dm(table: PublicTable, vote: Vote, seat: int) -> Whisper:
    """The same for a player who is away, who can answer without coming back."""
    text = f"### {HEADINGS[vote.motion]}\n{place_of(table)}\n{_wanted(table, vote)}"
    if not vote.is_open:
        return Whisper(("\n".join([text, *_outcome(vote)]),), Colour.DONE, is_final=True)
    lines = [text, *_standing(table, vote)]
    if seat in vote.agreed:
        lines.append("✅ You agreed.")
    elif seat in vote.refused:
        lines.append("❌ You want to play on.")
    elif (until := table.seats[seat].kept_until) is not None:
        lines.append(f"-# Nobody can end the game without you before {moment(table, until)}.")
    back = (come_back(table.id, table.language),) if table.seats[seat].away else ()
    return Whisper(("\n".join(lines), (*_ways_to_answer(table, vote), *back)), Colour.TURN)


def in_hand(table: PublicTable, view: SeatView) -> Iterator[str]:
    """The line in a player's hand until they have answered."""
    vote = table.vote
    if vote and vote.is_open and view.seat not in vote.agreed | vote.refused:
        yield IN_HAND[vote.motion].format(who=_asker(table, vote), channel=f"<#{table.channel}>")


def _wanted(table: PublicTable, vote: Vote) -> str:
    return WANTS[vote.motion].format(who=_asker(table, vote))


def _asker(table: PublicTable, vote: Vote) -> str:
    return "Someone" if vote.asker is None else bold(table, vote.asker)


def _standing(table: PublicTable, vote: Vote) -> Iterator[str]:
    """The totals that would count."""
    view = table.view
    if vote.motion is Motion.CONCEDE and view is not None:
        totals = [
            f"{person(seat.name, table.language)} {ENGLISH.number(total)}"
            for seat, total in zip(table.seats, view.totals, strict=True)
        ]
        leaders = _leaders(table)
        told = f"{in_a_row(totals)}: {leaders} would win."
        yield told if leaders else f"{in_a_row(totals)}, which needs a complete deal."


def _answers(table: PublicTable, vote: Vote) -> Iterator[str]:
    silent = _silent(table, vote) if vote.is_open else frozenset()
    groups = (("✅ Agreed", vote.agreed), ("❌ Against", vote.refused), ("⏳ Not yet", silent))
    told = [f"{words}: {names(table, sorted(seats))}" for words, seats in groups if seats]
    if vote.outcome is not Outcome.ALL:
        yield from told


def _silent(table: PublicTable, vote: Vote) -> frozenset[int]:
    """The seats whose players have not answered yet."""
    return table.seats.voters - vote.agreed - vote.refused


def _away(table: PublicTable, vote: Vote) -> Iterator[str]:
    """The players who are away and have not answered."""
    if away := [seat for seat in sorted(_silent(table, vote)) if table.seats[seat].away]:
        told = for_count(
            len(away), "{who} is away and also asked by DM.", "{who} are away and also asked by DM."
        )
        yield told.format(who=names(table, away))


def _needed(table: PublicTable, vote: Vote) -> str:
    """What it takes, and until when."""
    until = table.vote_ends_at
    time = "" if until is None else f"<t:{int(until)}:R>"
    if vote.motion is Motion.CONCEDE:
        told = "Everyone has to agree: one vote against, and the game goes on."
        if time:
            return f"{told} Closes {time}, or when this deal is over."
        return f"{told} Closes when the time is up, or when this deal is over."
    if time:
        ends = _by_quorum(
            table,
            f"It ends once all agree. Closes {time}.",
            f"It ends once all agree; or {time}, if {{who}} does.",
            f"It ends once all agree; or {time}, if {{who}} do.",
        )
    else:
        ends = _by_quorum(
            table,
            "It ends once all agree. Closes when the time is up.",
            "It ends once all agree; or when the time is up, if {who} does.",
            "It ends once all agree; or when the time is up, if {who} do.",
        )
    found = _quorum(table)
    if found is None:
        return ends
    missing = [bold(table, found.host)] if found.host not in vote.agreed else []
    if others := found.missing(vote.agreed):
        missing.append(f"{ENGLISH.spelled(others)} more")
    if missing:
        return f"{ends} Still needed for that: {ENGLISH.listing(missing)}."
    when = time or "when the time is up"
    if vote.refused:
        return f"Enough agree: it ends {when}, unless someone changes their answer."
    return f"It ends once all agree. Enough do already: it ends {when}, unless someone changes their answer."


def _by_quorum(table: PublicTable, nobody: str, one: str, several: str) -> str:
    """The sentence for the players who can stop the game together, where fewer than all can.

    `{who}` in it becomes `**Ann** and two of the others`.
    """
    found = _quorum(table)
    if found is None:
        return nobody
    host, others, needed = bold(table, found.host), found.others, ENGLISH.spelled(found.needed)
    if not others:
        return one.format(who=host)
    told = names(table, sorted(others))
    if len(others) == 1:
        who = f"{host} and {told}"
    elif others == table.seats.voters - {found.host}:
        who = f"{host} and {needed} of the others"
    else:
        who = f"{host} and {needed} of {told}"
    return several.format(who=who)


def _quorum(table: PublicTable) -> Quorum | None:
    """The players who can stop the game without the others; None where all have to agree."""
    found = quorum(table, len(table.view.points) if table.view else 0)
    return found if found and len(table.seats.voters) > found.needed + 1 else None


def _outcome(vote: Vote) -> Iterator[str]:
    match vote.outcome:
        case Outcome.ALL:
            yield ALL_AGREED[vote.motion]
        case Outcome.ENOUGH:
            yield ENOUGH_AGREED[vote.motion]
        case Outcome.REFUSED:
            yield "**Not all agree**: the game goes on."
        case Outcome.TOO_FEW:
            yield "**The time was up**, and too few had agreed: the game goes on."
        case Outcome.ALONE:
            yield "Nobody is left to agree: the game goes on."
        case Outcome.OUTDATED:
            yield "Another deal counts by now, so the game goes on. Anyone can ask for that again."
        case Outcome.ENDED:
            yield "The game has ended in the meantime."
    if vote.outcome and vote.outcome.has_failed and vote.until:
        yield f"-# It can't be proposed again until <t:{int(vote.until)}:f>."
