"""The course of a deal: from the cards dealt, move by move, to the points."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card, Hand, sort_hand
from engine.errors import Refusal
from engine.play import before_play, in_play
from engine.play.deal import Deal, Phase
from engine.play.moves import Dealt, Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.seal import seal
from engine.rules.ruleset import Ruleset
from engine.rules.tricks import Trick


def start(rules: Ruleset, number: int, dealt: Dealt, first_leader: int | None = None) -> Deal:
    """The deal of this number (from 1), just dealt; `first_leader` leads where no card decides it (C3)."""
    nothing: tuple[Hand, ...] = ((),) * rules.players
    deal = Deal(
        rules=rules,
        number=number,
        dealt=dealt,
        phase=Phase.PASSING,
        hands=tuple(sort_hand(hand) for hand in dealt.hands),
        kitty=dealt.kitty,
        passes=(None,) * rules.players,
        received=nothing,
        face_up=nothing,
        taken=nothing,
        kitty_taken=nothing,
        trick=Trick(first_leader or 0),
        seal=seal(number, dealt),
    )
    return deal if deal.offset else before_play.after_passing(deal)


def advance(deal: Deal, move: SeatMove) -> Deal:
    """The deal after this move; Refusal, and nothing changed, if the rules forbid it."""
    match deal.phase, move:
        case Phase.DONE, _:
            raise Refusal("deal_over")
        case Phase.PASSING, Passed(seat, cards):
            return before_play.pass_cards(deal, seat, cards)
        case _, Passed():
            raise Refusal("not_passing")
        case Phase.EXPOSING, Exposed(seat, card):
            return before_play.expose(deal, seat, card)
        case Phase.EXPOSING, Declined(seat):
            return before_play.decline(deal, seat)
        case _, Exposed() | Declined():
            raise Refusal("not_exposing")
        case Phase.PLAYING, Played(seat, card):
            return in_play.play(deal, seat, card)
        case _, Played():
            raise Refusal("not_playing")
        case Phase.CHOOSING_MOON, MoonChosen(seat, choice) if seat == deal.shooter:
            return in_play.finish(deal, choice)
        case _:
            raise Refusal("no_moon_choice")


def replay(deal: Deal, moves: Sequence[SeatMove]) -> Deal:
    """The deal after these moves, which were legal once: cards are laid by the trick, and not checked."""
    at = 0
    while at < len(moves):
        move, cards = moves[at], _plays(moves[at : at + deal.rules.players - len(deal.trick.cards)])
        deal = in_play.lay(deal, cards) if cards else advance(deal, move)
        at += len(cards) or 1
    return deal


def _plays(moves: Sequence[SeatMove]) -> Hand:
    """The cards of the plays with which these moves begin."""
    cards: list[Card] = []
    for move in moves:
        if not isinstance(move, Played):
            break
        cards.append(move.card)
    return tuple(cards)
