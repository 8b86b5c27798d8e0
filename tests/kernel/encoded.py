"""Deals that chance has made, and a deal of which all is known as the kernel's numbers."""

from collections import Counter
from collections.abc import Iterable
from random import Random

from engine.cards import Card
from engine.kernel.records import Laws, Position
from engine.kernel.rules import derive_fields
from engine.numbers.rows import Row, bit_of, suit_of
from engine.play.deal import Deal, Phase, start_deal
from engine.play.game import Game, shuffle
from engine.rules.ruleset import Ruleset
from tests.by_chance import play_on


def ready_to_play(rules: Ruleset, rng: Random) -> Deal:
    """A deal before its first lead, with what was passed and exposed by chance."""
    leader = rng.randrange(rules.players)
    deal = start_deal(rules, rng.randint(1, 60), shuffle(Game(rules), rng), leader)
    while deal.phase is not Phase.PLAYING:
        [deal] = play_on(Game(rules, deals=(deal,)), rng).deals
    return deal


def codes(rows: Row) -> list[int]:
    """The cards of these rows."""
    return [32 * suit + place for suit in range(5) for place in range(32) if rows[suit] >> place & 1]


def faces(laws: Laws, rows: Row) -> Counter[Card]:
    """These cards, whichever copies they are."""
    return Counter(map(laws.face, codes(rows)))


def put(rows: Row, cards: Iterable[int]) -> None:
    """Add these cards."""
    for code in cards:
        rows[suit_of(code)] |= bit_of(code)


def encoded(deal: Deal) -> tuple[Laws, Position]:
    """The laws and the position of a deal in play."""
    laws = Laws.of(deal.rules, deal.exposed)
    position = Position.empty()
    left = {card: list(laws.codes(card)) for card in deal.rules.pack.cards}

    def take(cards: Iterable[Card]) -> list[int]:
        return [left[card].pop(0) for card in cards]

    for seat in range(deal.rules.players):
        put(position.hands[seat], take(deal.hands[seat]))
        face_up = take(deal.face_up[seat])
        put(position.hands[seat], face_up)
        put(position.face_up[seat], face_up)
        put(position.piles[seat], take(deal.piles[seat]))
    put(position.on_hold, take((*deal.on_hold, *deal.kitty_on_hold)))
    gone = laws.kitty_before[len(deal.tricks)]
    for index, code in enumerate(take(deal.kitty), gone):
        position.kitty[index] = code
    for index, code in enumerate(take(deal.trick.cards)):
        position.trick[index] = code
    position.leader, position.laid = deal.trick.leader, len(deal.trick.cards)
    position.tricks_done, position.hearts_broken = len(deal.tricks), deal.hearts_broken
    if deal.opening and not deal.tricks and not deal.trick.cards:
        held = position.hands[deal.trick.leader]
        position.opening = next(code for code in codes(held) if laws.face(code) is deal.opening)
    derive_fields(laws, position)
    return laws, position
