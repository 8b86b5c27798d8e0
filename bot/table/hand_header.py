"""What a hand shows in every phase: the deal, the last trick, everyone's points, and the cards.

A hand is repainted only for its own clicks and turns, so its header shows nothing that changes while others
play. That's why it names the last trick only if no other can be complete before the player's next turn.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from bot.table.deal_breakdown import multiplier
from bot.table.votes import in_hand
from bot.vocabulary.messages import Button, Part, Picture
from bot.vocabulary.scenes import FanScene
from bot.words.deadlines import short_date
from bot.words.text import bold, brief, chips, in_a_row, place_of, symbols
from bot.words.tones import sign
from engine.cards import Card, Hand, Suit
from engine.languages import Language
from engine.play.deal import DoneTrick, Phase
from engine.play.views import SeatView
from engine.tables import PublicTable
from engine.tables.days import DEALS_A_DAY

#: The suits in the order in which a hand shows them; None stands for jokers.
SUITS = (*Suit, None)


def heading(table: PublicTable, deal: int, *, beside_table: bool = False) -> str:
    """The hand's heading, with a link to its table unless the table is shown right above."""
    if table.daily:
        title = table.say("Your hand · Deal {deal} of {deals}", deal=deal, deals=DEALS_A_DAY)
        game, date = table.say(table.rules.preset.title), short_date(table.daily.day, table.language)
        return f"### {title}\n-# {table.say('Daily {game}, {date}', game=game, date=date)}"
    title = f"### {table.say('Your hand · Deal {deal}', deal=deal)}"
    return title if beside_table else f"{title}\n{place_of(table)}"


def head(table: PublicTable, view: SeatView) -> str:
    """The top of a hand: its heading, the last trick, and everyone's points until the next one is done."""
    is_open = _is_open(view)
    # The number when this player's turn came or, while others play, when they played their last card.
    tricks_done = view.played - 1 if is_open else len(view.deal.tricks) if view.played else 0
    so_far = view.deal.tricks[tricks_done - 1].so_far if tricks_done else (0,) * view.rules.players
    points = _points(table, view, so_far)
    if not is_open:
        points = (
            table.language.sentences([_trick(table, view, tricks_done), points]) if tricks_done else points
        )
    elif any(so_far):
        points = table.say("Before trick {trick}: {points}", trick=view.played, points=points)
    small = [f"-# {points}"] if points else []
    return "\n".join([heading(table, view.deal.number), *small, *in_hand(table, view)])


def _is_open(view: SeatView) -> bool:
    """Whether others still have to complete the trick with this player's last card."""
    deal, own = view.deal, view.played
    if deal.phase is not Phase.PLAYING or deal.turn == view.seat or not own:
        return False
    return len(deal.tricks) < own or deal.tricks[own - 1].trick.seat(-1, view.rules.players) != view.seat


def _trick(table: PublicTable, view: SeatView, number: int) -> str:
    trick = view.deal.tricks[number - 1]
    if trick.winner is None:
        return table.say("Trick {trick} is on hold.", trick=number)
    worth = _worth(table, trick)
    if trick.winner == view.seat:
        return table.say("Trick {trick} went to you: {points}.", trick=number, points=worth)
    who = bold(table, trick.winner)
    return table.say("Trick {trick} went to {who}: {points}.", trick=number, who=who, points=worth)


def _worth(table: PublicTable, trick: DoneTrick) -> str:
    """What a trick counted, after a colon: `🔴 13 points`, `no points, with 10♣ (× 2, alone +50)`."""
    points = table.language.points(trick.cost)
    worth = f"{sign(table.rules, trick.cost)} {points}" if trick.cost else table.say("no points")
    for entry in trick.multipliers:
        worth = table.say("{points}, with {cards}", points=worth, cards=multiplier(table, entry))
    return worth


def _points(table: PublicTable, view: SeatView, so_far: Sequence[int]) -> str:
    """Everyone's total and what this deal has added so far, or the last one if this has added nothing."""
    history = view.public.history
    if any(so_far):
        both = zip(view.public.totals, so_far, strict=True)
        return _in_a_row(table, view, [_sum(total, added, table.language) for total, added in both])
    if not history:
        return ""
    before = history[-2] if len(history) > 1 else (0,) * view.rules.players
    sums = [_total(was, now, table.language) for was, now in zip(before, history[-1], strict=True)]
    return table.say("After deal {deal}: {points}", deal=len(history), points=_in_a_row(table, view, sums))


def _in_a_row(table: PublicTable, view: SeatView, sums: list[str]) -> str:
    """Everyone's points, the player's own first."""
    seats = [(view.seat + step) % view.rules.players for step in range(view.rules.players)]
    others = [f"{brief(table, seat)} {sums[seat]}" for seat in seats[1:]]
    return in_a_row([table.say("**You {points}**", points=sums[view.seat]), *others])


def _sum(total: int, added: int, language: Language) -> str:
    """`34 (+5)`, `34`, or `+5` where there is no total yet."""
    if not added:
        return language.number(total)
    return f"{language.number(total)} ({language.change(added)})" if total else language.change(added)


def _total(before: int, now: int, language: Language) -> str:
    """`39 (+5)`, the total with the last deal, or `5` if nothing came before it."""
    return f"{language.number(now)} ({language.change(now - before)})" if before else language.number(now)


# The cards


def by_suit(cards: Hand) -> str:
    """The hand as text, a line for each suit, in the order of the cards."""
    return "\n".join([chips(suit) for _, suit in groupby(cards, attrgetter("suit"))])


def fan(
    hand: Hand, language: Language, raised: frozenset[int] = frozenset(), *, beside_buttons: bool = False
) -> Picture:
    """The hand as a picture, with the cards at the `raised` places raised.

    Beside buttons that name the same cards it's optional, and no words replace it.
    """
    words = "" if beside_buttons else by_suit(hand)
    alt = language.say("Your hand: {cards}", cards=symbols(hand))
    return Picture(FanScene(hand, raised), alt, words, optional=beside_buttons)


def rows(buttons: Iterable[tuple[Card, Button]]) -> list[Part]:
    """The buttons for these cards, in a row for each suit."""
    suits: dict[Suit | None, list[Button]] = {suit: [] for suit in SUITS}
    for card, button in buttons:
        suits[card.suit].append(button)
    return [tuple(suit) for suit in suits.values() if suit]


def slots(cards: Hand) -> list[tuple[Card, str]]:
    """Each card with its code and the number of its copy, which tells equal cards apart: `QS.0`."""
    seen: defaultdict[Card, int] = defaultdict(int)
    pairs = []
    for card in cards:
        pairs.append((card, f"{card.code}.{seen[card]}"))
        seen[card] += 1
    return pairs
