"""Votes on how a game ends: the question before one, the post that asks everyone, and the result."""

from __future__ import annotations

from collections.abc import Iterator

from bot.controls import AnswerVote, Keep, Propose, Stop
from bot.messages import Button, Colour, Part, Post, Row, Style, Whisper
from bot.render.buttons import come_back
from bot.render.deadlines import moment
from bot.render.text import bold, in_a_row, mentions, names, person, place_of
from engine.languages import N_
from engine.play.views import SeatView
from engine.tables import Motion, Outcome, PublicTable, Vote
from engine.tables.voting import Quorum, quorum

#: What everyone is asked, by motion: in the post, and in the hand of a player who has not answered.
HEADINGS = {Motion.STOP: N_("Stop this game?"), Motion.CONCEDE: N_("Count the game as it stands?")}
WANTS = {
    Motion.STOP: N_("{who} asks to end it now, without a result."),
    Motion.CONCEDE: N_("{who} asks to end it now: it counts as it stands."),
}
IN_HAND = {
    Motion.STOP: N_("🗳️ {who} asks to stop this game: answer in {channel}."),
    Motion.CONCEDE: N_("🗳️ {who} asks to count the game as it stands: answer in {channel}."),
}
#: The buttons that ask everyone.
LABELS = {Motion.STOP: N_("Stop"), Motion.CONCEDE: N_("Concede")}
#: How a vote ends that succeeds.
ALL_AGREED = {
    Motion.STOP: N_("**All agreed**: the game ends without a result."),
    Motion.CONCEDE: N_("**All agreed**: the game counts as it stands."),
}
ENOUGH_AGREED = {
    Motion.STOP: N_("**The time was up**, and enough had agreed: the game ends without a result."),
    Motion.CONCEDE: N_("**The time was up**, and enough had agreed: the game counts as it stands."),
}
#: How another one ends.
GOES_ON = {
    Outcome.REFUSED: N_("**Not all agree**: the game goes on."),
    Outcome.TOO_FEW: N_("**The time was up**, and too few had agreed: the game goes on."),
    Outcome.ALONE: N_("Nobody is left to agree: the game goes on."),
    Outcome.OUTDATED: N_("Another deal counts by now, so the game goes on. Anyone can ask for that again."),
    Outcome.ENDED: N_("The game has ended in the meantime."),
}
#: When a game is stopped: where all have to agree, and where one player or several can do it together.
STOPS = (
    N_("**Stop** ends the game without a result, once all agree."),
    N_("**Stop** ends the game without a result, once all agree; or when the time is up, if {who} does."),
    N_("**Stop** ends the game without a result, once all agree; or when the time is up, if {who} do."),
)
ENDS = (
    N_("It ends once all agree. Closes {time}."),
    N_("It ends once all agree; or {time}, if {who} does."),
    N_("It ends once all agree; or {time}, if {who} do."),
)
ENDS_SOMETIME = (
    N_("It ends once all agree. Closes when the time is up."),
    N_("It ends once all agree; or when the time is up, if {who} does."),
    N_("It ends once all agree; or when the time is up, if {who} do."),
)
ASKED = N_("I've asked in the channel: everyone at the table can answer there.")


def stop_question(table: PublicTable) -> Whisper:
    """The question before somebody stops a game in which nobody else has a say."""
    row = (_stop_at_once(table, table.say("Stop")), _go_on(table))
    if table.view is None:
        return Whisper((table.say("Close this table?"), row))
    question = table.say("Stop this game? No result will count.")
    if left := [number for number, seat in enumerate(table.seats) if seat.has_left]:
        told = table.say_count(
            len(left),
            "{who} has left and is not asked. If it's played to the end, the game counts.",
            "{who} have left and are not asked. If it's played to the end, the game counts.",
            who=names(table, left),
        )
        question += f"\n-# {told}"
    return Whisper((question, row))


def end_question(table: PublicTable, *, may_manage: bool) -> Whisper:
    """The ways in which a player can end a game; with `may_manage` they may also stop it at once."""
    if leaders := _leaders(table):
        concede = table.say_count(
            len(leaders),
            "**Concede** counts it as it stands, once all agree: {who} would win.",
            "**Concede** counts it as it stands, once all agree: {who} would win.",
            who=names(table, leaders),
        )
    else:
        concede = table.say(
            "**Concede** counts it as it stands, once all agree, which needs a complete deal."
        )
    about = f"### {table.say('Ask everyone at the table?')}\n{_by_quorum(table, STOPS)}\n{concede}"
    row = (_ask(table, Motion.STOP), _ask(table, Motion.CONCEDE), _go_on(table))
    if not may_manage:
        return Whisper((about, row))
    alone = table.say(
        "You may manage this channel, so you can also stop it at once. The table is told who did."
    )
    return Whisper((about, row, f"-# {alone}", (_stop_at_once(table, table.say("Stop at once")),)))


def concede_question(table: PublicTable) -> Whisper:
    """The question before everyone is asked to concede."""
    question = table.say("Ask everyone to end the game as it stands?")
    if leaders := _leaders(table):
        told = table.say_count(
            len(leaders),
            "It ends once all agree: {who} would win.",
            "It ends once all agree: {who} would win.",
            who=names(table, leaders),
        )
    else:
        told = table.say("It ends once all agree, which needs a complete deal.")
    question = table.language.sentences([question, told])
    return Whisper((question, (_ask(table, Motion.CONCEDE), _go_on(table))))


def _ask(table: PublicTable, motion: Motion) -> Button:
    can_be_asked = motion is Motion.STOP or bool(table.view and table.view.history)
    style = Style.MAIN if motion is Motion.CONCEDE else Style.RED
    return Button(table.say(LABELS[motion]), Propose(table.id, motion), style, enabled=can_be_asked)


def _stop_at_once(table: PublicTable, label: str) -> Button:
    return Button(label, Stop(table.id), Style.RED)


def _go_on(table: PublicTable) -> Button:
    return Button(table.say("Go on"), Keep(table.id))


def _leaders(table: PublicTable) -> tuple[int, ...]:
    """The seats that would win if the game ended now; none before the first complete deal."""
    view = table.view
    return table.leaders(view.totals) if view and view.history else ()


def vote_key(vote: Vote) -> str:
    """The key of the post that asks everybody."""
    return f"vote{vote.number}"


def vote_post(table: PublicTable, vote: Vote) -> Post:
    """The question to everyone, their answers and, once it is closed, the result."""
    heading = f"### {table.say(HEADINGS[vote.motion])}\n{_wanted(table, vote)}"
    if not vote.is_open:
        return Post(("\n".join([heading, *_answers(table, vote), *_outcome(table, vote)]),), Colour.DONE)
    needed = [f"-# {line}" for line in (*_away(table, vote), _needed(table, vote))]
    lines = [heading, *_standing(table, vote), *_answers(table, vote), *needed]
    asked = [table.seats[seat].person for seat in sorted(table.seats.voters - vote.agreed)]
    ping = tuple([person for person in asked if person is not None])
    parts: tuple[Part, ...] = ("\n".join(lines), _ways_to_answer(table, vote))
    return Post(parts, Colour.TURN, call=mentions(ping), ping=ping)


def _ways_to_answer(table: PublicTable, vote: Vote) -> Row:
    here = (table.id, vote.number)
    return (
        Button(table.say("Agree"), AnswerVote(*here, "yes"), Style.MAIN),
        Button(table.say("Play on"), AnswerVote(*here, "no")),
    )


def asked_by_dm(table: PublicTable, vote: Vote, seat: int) -> Whisper:
    """The same for a player who is away, who can answer without coming back."""
    text = f"### {table.say(HEADINGS[vote.motion])}\n{place_of(table)}\n{_wanted(table, vote)}"
    if not vote.is_open:
        return Whisper(("\n".join([text, *_outcome(table, vote)]),), Colour.DONE, is_final=True)
    lines = [text, *_standing(table, vote)]
    if seat in vote.agreed:
        lines.append(table.say("✅ You agreed."))
    elif seat in vote.refused:
        lines.append(table.say("❌ You want to play on."))
    elif (until := table.seats[seat].kept_until) is not None:
        told = table.say("Nobody can end the game without you before {time}.", time=moment(table, until))
        lines.append(f"-# {told}")
    back = (come_back(table.id, table.language),) if table.seats[seat].away else ()
    return Whisper(("\n".join(lines), (*_ways_to_answer(table, vote), *back)), Colour.TURN)


def in_hand(table: PublicTable, view: SeatView) -> Iterator[str]:
    """The line in a player's hand until they have answered."""
    vote = table.vote
    if vote and vote.is_open and view.seat not in vote.agreed | vote.refused:
        yield table.say(IN_HAND[vote.motion], who=_asker(table, vote), channel=f"<#{table.channel}>")


def _wanted(table: PublicTable, vote: Vote) -> str:
    return table.say(WANTS[vote.motion], who=_asker(table, vote))


def _asker(table: PublicTable, vote: Vote) -> str:
    return table.say("Someone") if vote.asker is None else bold(table, vote.asker)


def _standing(table: PublicTable, vote: Vote) -> Iterator[str]:
    """The totals that would count."""
    view = table.view
    if vote.motion is Motion.CONCEDE and view is not None:
        totals = [
            f"{person(name, table.language)} {table.language.number(total)}"
            for name, total in zip(table.names, view.totals, strict=True)
        ]
        if leaders := _leaders(table):
            yield table.say_count(
                len(leaders),
                "{totals}: {who} would win.",
                "{totals}: {who} would win.",
                totals=in_a_row(totals),
                who=names(table, leaders),
            )
        else:
            yield table.say("{totals}, which needs a complete deal.", totals=in_a_row(totals))


def _answers(table: PublicTable, vote: Vote) -> Iterator[str]:
    silent = _silent(table, vote) if vote.is_open else frozenset()
    groups = (
        (N_("✅ Agreed: {who}"), vote.agreed),
        (N_("❌ Against: {who}"), vote.refused),
        (N_("⏳ Not yet: {who}"), silent),
    )
    told = [table.say(words, who=names(table, sorted(seats))) for words, seats in groups if seats]
    if vote.outcome is not Outcome.ALL:
        yield from told


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


def _needed(table: PublicTable, vote: Vote) -> str:
    """What it takes, and until when."""
    until = table.vote_ends_at
    time = "" if until is None else f"<t:{int(until)}:R>"
    if vote.motion is Motion.STOP:
        return table.language.sentences(_ends(table, vote, time))
    told = table.say("Everyone has to agree: one vote against, and the game goes on.")
    if time:
        closes = table.say("Closes {time}, or when this deal is over.", time=time)
    else:
        closes = table.say("Closes when the time is up, or when this deal is over.")
    return table.language.sentences([told, closes])


def _ends(table: PublicTable, vote: Vote, time: str) -> Iterator[str]:
    """What it takes to stop the game."""
    found = _quorum(table)
    missing = _missing(table, vote, found) if found else []
    if found is None or missing:
        yield _by_quorum(table, ENDS if time else ENDS_SOMETIME, time)
    if missing:
        yield table.say("Still needed for that: {who}.", who=table.language.listing(missing))
    elif found:
        yield _enough(table, vote, time)


def _missing(table: PublicTable, vote: Vote, found: Quorum) -> list[str]:
    """Those who can still stop the game with others."""
    missing = [bold(table, found.host)] if found.host not in vote.agreed else []
    if others := found.missing(vote.agreed):
        number = table.language.spelled(others)
        missing.append(table.say_count(others, "one more", "{number} more", number=number))
    return missing


def _enough(table: PublicTable, vote: Vote, time: str) -> str:
    """When it ends, as enough agree already."""
    if vote.refused:
        if time:
            return table.say("Enough agree: it ends {time}, unless someone changes their answer.", time=time)
        return table.say("Enough agree: it ends when the time is up, unless someone changes their answer.")
    if time:
        ends = table.say("Enough do already: it ends {time}, unless someone changes their answer.", time=time)
    else:
        ends = table.say(
            "Enough do already: it ends when the time is up, unless someone changes their answer."
        )
    return table.language.sentences([table.say("It ends once all agree."), ends])


def _by_quorum(table: PublicTable, words: tuple[str, str, str], time: str = "") -> str:
    """The sentence for the players who can stop the game together, where fewer than all can.

    `{who}` in it becomes `**Ann** and two of the others`.
    """
    nobody, one, several = words
    found = _quorum(table)
    if found is None:
        return table.say(nobody, time=time)
    if not found.others:
        return table.say(one, who=bold(table, found.host), time=time)
    return table.say(several, who=_together(table, found), time=time)


def _together(table: PublicTable, found: Quorum) -> str:
    """The host and some of the others."""
    host, others, number = bold(table, found.host), found.others, table.language.spelled(found.needed)
    if len(others) == 1:
        return names(table, [found.host, *others])
    if others == table.seats.voters - {found.host}:
        return table.say_count(
            found.needed,
            "{host} and one of the others",
            "{host} and {number} of the others",
            host=host,
            number=number,
        )
    return table.say_count(
        found.needed,
        "{host} and one of {others}",
        "{host} and {number} of {others}",
        host=host,
        number=number,
        others=names(table, sorted(others)),
    )


def _quorum(table: PublicTable) -> Quorum | None:
    """The players who can stop the game without the others; None where all have to agree."""
    found = quorum(table, len(table.view.points) if table.view else 0)
    return found if found and len(table.seats.voters) > found.needed + 1 else None


def _outcome(table: PublicTable, vote: Vote) -> Iterator[str]:
    match vote.outcome:
        case None:
            return
        case Outcome.ALL:
            yield table.say(ALL_AGREED[vote.motion])
        case Outcome.ENOUGH:
            yield table.say(ENOUGH_AGREED[vote.motion])
        case failed:
            yield table.say(GOES_ON[failed])
    if vote.outcome.has_failed and vote.until:
        told = table.say("It can't be proposed again until {time}.", time=f"<t:{int(vote.until)}:f>")
        yield f"-# {told}"
