"""What was special about a deal, and who may be shooting the moon."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import cards, without
from engine.play.deal import Phase, advance_deal, start_deal
from engine.play.feats import Feat, FeatKind, feat, moon_threat
from engine.play.moves import Dealt, Declined, Played
from engine.play.public import PublicDeal, public_deal
from engine.rules.ruleset import Ruleset

#: Seat 0 holds all the clubs, leads, and takes every trick.
MOON = (
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS KS AS QS",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
)
#: Seat 0 takes one heart with the ace of clubs, then the lead is lost, and seat 1 takes all the others.
STOPPED = (
    "AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD",
    "AD 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC",
    *MOON[2:],
)


def played(rules: Ruleset, hands: tuple[str, ...]) -> list[PublicDeal]:
    """The deal after each card, where everyone plays the first card of their hand that may be played."""
    deal, found = start_deal(rules, 1, Dealt(3, tuple(map(cards, hands)), ()), 0), []
    while deal.phase is Phase.EXPOSING:
        deal = advance_deal(deal, Declined(deal.waiting_for[0]))
    order = [card for hand in hands for card in cards(hand)]
    while deal.turn is not None:
        card = next(card for card in order if card in deal.playable)
        deal = advance_deal(deal, Played(deal.turn, card))
        found.append(public_deal(deal))
    return found


def classic(**options: object) -> Ruleset:
    return Ruleset.of("classic", 4, {"pass_cards": 0, "moon": "others", **options})


def test_a_moon_is_told_only_once_it_is_done_and_so_is_one_that_was_stopped() -> None:
    deals = played(classic(), MOON)
    assert [feat(classic(), deal) for deal in deals] == [None] * 51 + [Feat(FeatKind.MOON, 0)]
    chinese = Ruleset.of("chinese", 4)
    assert feat(chinese, played(chinese, MOON)[-1]) == Feat(FeatKind.SUN, 0)
    stopped = played(classic(), STOPPED)[-1]
    assert stopped.points == (1, 25, 0, 0)
    assert feat(classic(), stopped) == Feat(FeatKind.STOPPED, 1, (0,), 25, 26)


@pytest.mark.parametrize(("given", "is_one"), [(20, True), (19, False)])
def test_it_takes_20_of_26_points(given: int, is_one: bool) -> None:
    rules, deal = classic(), played(classic(), MOON)[-1]
    hearts = cards("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH")
    first = (*hearts[: given - 13], *cards("QS"))
    taken = (first, hearts[given - 13 : -1], hearts[-1:], ())
    stopped = replace(deal, taken=taken, kitty_taken=((),) * 4, shooter=None)
    found = feat(rules, stopped)
    queen = Feat(FeatKind.QUEEN, 2, (0,))  # the last card that seat 2 plays
    assert found == (Feat(FeatKind.STOPPED, 0, (1, 2), 20, 26) if is_one else queen)


def test_the_queen_given_with_the_last_trick() -> None:
    deal = played(classic(), STOPPED)[-1]  # seat 2 keeps her to the end, but a moon was stopped besides
    hearts = cards("8H 9H TH JH QH KH AH")
    ordinary = replace(deal, taken=(deal.taken[0], without(deal.taken[1], hearts), (), hearts))
    assert feat(classic(), ordinary) == Feat(FeatKind.QUEEN, 2, (1,))
    assert feat(classic(), replace(ordinary, tricks=deal.tricks[:-1])) is None
    assert feat(classic(winner="highest"), ordinary) is None  # there she is welcome


def test_a_threat_from_eight_points_on_until_someone_else_has_one() -> None:
    deals = played(classic(), MOON)[:-1]
    for deal in deals:
        assert moon_threat(classic(), deal) == (0 if deal.so_far[0] >= 8 else None)
    assert {deal.so_far[0] >= 8 for deal in deals} == {True, False}
    hers = deals[-1].taken[0]
    shared = replace(deals[-1], taken=(without(hers, cards("3H")), cards("3H"), (), ()))
    assert moon_threat(classic(), shared) is None


def test_no_threat_after_a_heart_went_elsewhere_nor_where_a_moon_harms_its_shooter() -> None:
    rules = classic(winner="highest")
    assert {moon_threat(classic(), deal) for deal in played(classic(), STOPPED)} == {None}
    assert {moon_threat(rules, deal) for deal in played(rules, MOON)} == {None}
    assert moon_threat(classic(), played(classic(), MOON)[-1]) is None  # the deal is over
    assert feat(rules, played(rules, STOPPED)[-1]) is None
