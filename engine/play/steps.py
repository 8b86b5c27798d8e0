"""The steps of replaying a finished deal: the cards as dealt, the passes, each card, and the points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engine.play.deal import Deal, Phase, advance_deal, replay_deal, start_deal
from engine.play.game import Game
from engine.play.moves import Declined, Exposed, Passed, Played, SeatMove
from engine.play.public import PublicDeal


class Stage(Enum):
    """What a step shows."""

    DEALT = "dealt"
    PASSED = "passed"
    EXPOSED = "exposed"
    PLAYED = "played"
    COUNTED = "counted"


#: The phases that are over by each stage.
_OVER = {
    Stage.DEALT: (),
    Stage.PASSED: (Phase.PASSING,),
    Stage.EXPOSED: (Phase.PASSING, Phase.EXPOSING),
}


@dataclass(frozen=True, slots=True)
class Step:
    """The deal as it was after this stage; after PLAYED, the last card played is on the table."""

    stage: Stage
    deal: Deal


def count(done: Deal) -> int:
    """The number of steps of this deal."""
    return len(_before_play(done)) + done.rules.pack.hand_size * done.rules.players + 1


def stops(done: Deal) -> list[int]:
    """The steps without a half-played trick: those before the first, the end of each, and the last."""
    opening = len(_before_play(done))
    tricks = range(1, done.rules.pack.hand_size + 1)
    ends = [opening - 1 + number * done.rules.players for number in tricks]
    return [*range(opening), *ends, count(done) - 1]


def number_of(done: Deal, seen: PublicDeal) -> int:
    """The step after which the deal looked like this, or waited for the next passes or exposures."""
    opening = _before_play(done)
    if seen.phase is Phase.PASSING:
        return 0
    if seen.phase is Phase.EXPOSING:
        return opening.index(Stage.EXPOSED) - 1
    return len(opening) - 1 + len(seen.tricks) * done.rules.players + len(seen.trick.cards)


def at(done: Deal, number: int) -> Step:
    """The step with this number, from 0; IndexError if there is none."""
    if not 0 <= number < count(done):
        raise IndexError(number)
    opening = _before_play(done)
    if number == count(done) - 1:
        return Step(Stage.COUNTED, done)
    if number >= len(opening):
        ready = _after(done, opening[-1])
        return Step(Stage.PLAYED, replay_deal(ready, _plays(done)[: number - len(opening) + 1]))
    return Step(opening[number], _after(done, opening[number]))


def game_before(game: Game, number: int) -> Game:
    """The game just before the deal with this number (from 1) was dealt."""
    done = number - 1
    return replace(
        game,
        deals=game.deals[:done],
        points=game.points[:done],
        history=game.history[:done],
        past=game.past[: max(0, done - 1)],
        ended=False,
        dropped=None,
    )


def game_at(game: Game, step: Step) -> Game:
    """The game as it was at this step of one of its deals."""
    number = step.deal.number
    if step.stage is Stage.COUNTED:
        return game_before(game, number + 1)
    then = game_before(game, number)
    return replace(then, deals=(*then.deals, step.deal))


def next_move(now: Deal, done: Deal) -> SeatMove:
    """The move with which the deal continued; the order of passing and declining isn't known."""
    match now.phase:
        case Phase.PASSING:
            seat = now.waiting_for[0]
            return Passed(seat, done.passes[seat] or ())
        case Phase.EXPOSING:
            exposed = done.exposures[len(now.exposures) :]
            return Exposed(*exposed[0]) if exposed else Declined(now.waiting_for[0])
        case _:
            trick = done.tricks[len(now.tricks)].trick
            index = len(now.trick.cards)
            return Played(trick.seat(index, done.rules.players), trick.cards[index])


def _before_play(done: Deal) -> tuple[Stage, ...]:
    passed = (Stage.PASSED,) if done.offset else ()
    exposed = (Stage.EXPOSED,) if done.rules.preset.exposable else ()
    return (Stage.DEALT, *passed, *exposed)


def _after(done: Deal, stage: Stage) -> Deal:
    """The deal after this stage, one of those before play."""
    now = start_deal(done.rules, done.number, done.dealt, done.tricks[0].trick.leader)
    while now.phase in _OVER[stage]:
        now = advance_deal(now, next_move(now, done))
    return now


def _plays(done: Deal) -> list[SeatMove]:
    return [
        Played(seat, card) for trick in done.tricks for seat, card in trick.trick.laid(done.rules.players)
    ]
