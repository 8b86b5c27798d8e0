"""The steps of replaying a finished deal: the cards as dealt, the passes, each card, and the points."""

from dataclasses import dataclass, replace
from enum import Enum

from engine.play.deal import Deal, Phase, advance_deal, replay_deal, start_deal
from engine.play.game import Game
from engine.play.moves import Declined, Exposed, Passed, Played, SeatMove
from engine.play.public import PublicDeal


class Stage(Enum):
    """The part of a deal that a step belongs to."""

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


def count(deal: Deal) -> int:
    """The number of steps in this finished deal."""
    return len(_before_play(deal)) + deal.rules.pack.hand_size * deal.rules.players + 1


def stops(deal: Deal) -> list[int]:
    """The steps without a half-played trick: those before play, the end of each trick, and the last."""
    opening = len(_before_play(deal))
    tricks = range(1, deal.rules.pack.hand_size + 1)
    ends = [opening - 1 + number * deal.rules.players for number in tricks]
    return [*range(opening), *ends, count(deal) - 1]


def number_of(deal: Deal, public: PublicDeal) -> int:
    """The step after which the deal looked like this, or waited for the next passes or exposures."""
    opening = _before_play(deal)
    if public.phase is Phase.PASSING:
        return 0
    if public.phase is Phase.EXPOSING:
        return opening.index(Stage.EXPOSED) - 1
    return len(opening) - 1 + len(public.tricks) * deal.rules.players + len(public.trick.cards)


def at(deal: Deal, number: int) -> Step:
    """The step with this number, from 0; IndexError if there is none."""
    if not 0 <= number < count(deal):
        raise IndexError(number)
    opening = _before_play(deal)
    if number == count(deal) - 1:
        return Step(Stage.COUNTED, deal)
    if number >= len(opening):
        ready = _after(deal, opening[-1])
        return Step(Stage.PLAYED, replay_deal(ready, _plays(deal)[: number - len(opening) + 1]))
    return Step(opening[number], _after(deal, opening[number]))


def game_before(game: Game, number: int) -> Game:
    """The game just before the deal with this number (from 1) was dealt."""
    complete = number - 1
    return replace(
        game,
        deals=game.deals[:complete],
        points=game.points[:complete],
        history=game.history[:complete],
        past=game.past[: max(0, complete - 1)],
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


def next_move(current: Deal, finished: Deal) -> SeatMove:
    """The move that came next in the finished deal; the order of passing and declining isn't known."""
    match current.phase:
        case Phase.PASSING:
            seat = current.waiting_for[0]
            return Passed(seat, finished.passes[seat] or ())
        case Phase.EXPOSING:
            exposed = finished.exposures[len(current.exposures) :]
            return Exposed(*exposed[0]) if exposed else Declined(current.waiting_for[0])
        case _:
            trick = finished.tricks[len(current.tricks)].trick
            index = len(current.trick.cards)
            return Played(trick.seat(index, finished.rules.players), trick.cards[index])


def _before_play(deal: Deal) -> tuple[Stage, ...]:
    passed = (Stage.PASSED,) if deal.offset else ()
    exposed = (Stage.EXPOSED,) if deal.rules.preset.exposable else ()
    return (Stage.DEALT, *passed, *exposed)


def _after(deal: Deal, stage: Stage) -> Deal:
    """The deal after this stage, one of those before play."""
    current = start_deal(deal.rules, deal.number, deal.dealt, deal.tricks[0].trick.leader)
    while current.phase in _OVER[stage]:
        current = advance_deal(current, next_move(current, deal))
    return current


def _plays(deal: Deal) -> list[SeatMove]:
    players = deal.rules.players
    return [Played(seat, card) for one in deal.tricks for seat, card in one.trick.laid(players)]
