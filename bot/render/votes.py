"""Votes on how a game ends: what is asked beforehand, the post that asks everybody, and how they answered."""

from __future__ import annotations

from collections.abc import Iterator

from bot.controls import AnswerVote, Keep, Propose, Stop
from bot.messages import Button, Colour, Part, Post, Row, Style, Whisper
from bot.render.buttons import come_back
from bot.render.deadlines import moment
from bot.render.text import bold, in_a_row, mentions, names, person, place_of
from engine.play.views import SeatView
from engine.rules.wording import listing, number, spelled
from engine.tables import Motion, Outcome, PublicTable, Vote
from engine.tables.voting import Quorum, quorum

GO_ON = "Go on"
#: What is asked of everybody, by motion, and what whoever asks wants.
HEADINGS = {Motion.STOP: "Stop this game?", Motion.CONCEDE: "Count the game as it stands?"}
WANTS = {
    Motion.STOP: "asks to end it now, without a result",
    Motion.CONCEDE: "asks to end it now: it counts as it stands",
}
ASKED = "I've asked in the channel: everyone at the table can answer there."


def stop_question(table: PublicTable) -> Whisper:
    """Before somebody stops what nobody else has a say in."""
    row = (_stop_at_once(table, "Stop"), _go_on(table))
    if table.view is None:
        return Whisper(("Close this table?", row))
    question = "Stop this game? No result will count."
    if left := [number for number, seat in enumerate(table.seats) if seat.has_left]:
        have = "has left and is" if len(left) == 1 else "have left and are"
        question += f"\n-# {names(table, left)} {have} not asked. If it's played to the end, the game counts."
    return Whisper((question, row))


def end_question(table: PublicTable, *, may_manage: bool) -> Whisper:
    """How a game can be ended by who plays in it; `may_manage` says whether they may stop it at once."""
    about = (
        "### Ask everyone at the table?\n"
        f"**Stop** ends the game without a result, once all agree{_in_time(table, 'when the time is up')}.\n"
        f"**Concede** counts it as it stands, once all agree{_would_win(table)}."
    )
    row = (_ask(table, Motion.STOP), _ask(table, Motion.CONCEDE), _go_on(table))
    if not may_manage:
        return Whisper((about, row))
    alone = "-# You may manage this channel, so you can also stop it at once. The table is told who did."
    return Whisper((about, row, alone, (_stop_at_once(table, "Stop at once"),)))


def concede_question(table: PublicTable) -> Whisper:
    """Before everybody is asked to concede."""
    question = f"Ask everyone to end the game as it stands? It ends once all agree{_would_win(table)}."
    return Whisper((question, (_ask(table, Motion.CONCEDE), _go_on(table))))


def _ask(table: PublicTable, motion: Motion) -> Button:
    can_be_asked = motion is Motion.STOP or bool(table.view and table.view.history)
    style = Style.MAIN if motion is Motion.CONCEDE else Style.RED
    return Button(motion.value.title(), Propose(table.id, motion), style, enabled=can_be_asked)


def _stop_at_once(table: PublicTable, label: str) -> Button:
    return Button(label, Stop(table.id), Style.RED)


def _go_on(table: PublicTable) -> Button:
    return Button(GO_ON, Keep(table.id))


def _would_win(table: PublicTable) -> str:
    """`: **Bo** would win`."""
    view = table.view
    if view is None or not view.history:
        return ", which needs a complete deal"
    return f": {names(table, table.rules.winner.leaders(view.totals))} would win"


def vote_key(vote: Vote) -> str:
    """The key of the post that asks everybody."""
    return f"vote{vote.number}"


def vote_post(table: PublicTable, vote: Vote) -> Post:
    """What everybody is asked, who has answered what, and in the end what became of it."""
    heading = f"### {HEADINGS[vote.motion]}\n{_asker(table, vote)} {WANTS[vote.motion]}."
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
    text = f"### {HEADINGS[vote.motion]}\n{place_of(table)}\n{_asker(table, vote)} {WANTS[vote.motion]}."
    if not vote.is_open:
        return Whisper(("\n".join([text, *_outcome(vote)]),), Colour.DONE, is_final=True)
    lines = [text, *_standing(table, vote)]
    if seat in vote.agreed:
        lines.append("✅ You agreed.")
    elif seat in vote.refused:
        lines.append("❌ You want to play on.")
    elif (until := table.seats[seat].kept_until) is not None:
        lines.append(f"-# Nobody can end the game without you before {moment(table, until)}.")
    back = (come_back(table.id),) if table.seats[seat].away else ()
    return Whisper(("\n".join(lines), (*_ways_to_answer(table, vote), *back)), Colour.TURN)


def in_hand(table: PublicTable, view: SeatView) -> Iterator[str]:
    """That this player is asked and has not answered."""
    vote = table.vote
    if vote and vote.is_open and view.seat not in vote.agreed | vote.refused:
        what = "stop this game" if vote.motion is Motion.STOP else "count the game as it stands"
        yield f"🗳️ {_asker(table, vote)} asks to {what}: answer in <#{table.channel}>."


def _asker(table: PublicTable, vote: Vote) -> str:
    return "Someone" if vote.asker is None else bold(table, vote.asker)


def _standing(table: PublicTable, vote: Vote) -> Iterator[str]:
    """What would count."""
    view = table.view
    if vote.motion is Motion.CONCEDE and view is not None:
        totals = [
            f"{person(seat.name)} {number(total)}"
            for seat, total in zip(table.seats, view.totals, strict=True)
        ]
        yield f"{in_a_row(totals)}{_would_win(table)}."


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
    """Who of those that have not answered is away."""
    if away := [seat for seat in sorted(_silent(table, vote)) if table.seats[seat].away]:
        yield f"{names(table, away)} {'is' if len(away) == 1 else 'are'} away and also asked by DM."


def _needed(table: PublicTable, vote: Vote) -> str:
    """What it takes, and until when."""
    until = table.vote_ends_at
    time = "when the time is up" if until is None else f"<t:{int(until)}:R>"
    if vote.motion is Motion.CONCEDE:
        when = f"{time}, or when this deal is over"
        return f"Everyone has to agree: one vote against, and the game goes on. Closes {when}."
    found = _quorum(table)
    if found is None:
        return f"It ends once all agree. Closes {time}."
    missing = [bold(table, found.host)] if found.host not in vote.agreed else []
    if others := found.missing(vote.agreed):
        missing.append(f"{spelled(others)} more")
    still = f"Still needed for that: {listing(missing)}" if missing else "That's enough so far"
    return f"It ends once all agree{_in_time(table, time)}. {still}."


def _in_time(table: PublicTable, time: str) -> str:
    """`; or when the time is up, if **Ann** and two of the four others do`."""
    found = _quorum(table)
    if found is None:
        return ""
    who, others = bold(table, found.host), found.others
    if len(others) > 1:
        rest = "the others" if others == table.seats.voters - {found.host} else names(table, sorted(others))
        who += f" and {spelled(found.needed)} of {rest}"
    elif others:
        who += f" and {names(table, others)}"
    return f"; or {time}, if {who} {'do' if others else 'does'}"


def _quorum(table: PublicTable) -> Quorum | None:
    """Whoever can stop the game without the others, where that is not everybody."""
    found = quorum(table, len(table.view.points) if table.view else 0)
    return found if found and len(table.seats.voters) > found.needed + 1 else None


def _outcome(vote: Vote) -> Iterator[str]:
    result = "counts as it stands" if vote.motion is Motion.CONCEDE else "ends without a result"
    match vote.outcome:
        case Outcome.ALL:
            yield f"**All agreed**: the game {result}."
        case Outcome.ENOUGH:
            yield f"**The time was up**, and enough had agreed: the game {result}."
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
