"""The picture of a replay: the table at one step of a finished deal, with all hands face up."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.table import tricks
from bot.table.table_scene import description, table_scene, title
from bot.vocabulary.messages import Picture
from bot.vocabulary.scenes import HandsScene, OpenHand
from bot.words.text import LONGEST_DESCRIPTION, bold, chips, described, seat_number, short, symbols, visible
from bot.words.tones import score
from engine.cards import Card, Hand, sort_hand
from engine.languages import N_
from engine.play.deal import Deal
from engine.play.public import PublicDeal
from engine.play.steps import Stage, Step
from engine.rules.plays import Trick
from engine.tables import PublicTable
from engine.tables.picks import places_in_hand

TITLES = {
    Stage.DEALT: N_("Deal {deal} · As dealt"),
    Stage.PASSED: N_("Deal {deal} · The pass"),
    Stage.EXPOSED: N_("Deal {deal} · Exposed"),
    Stage.COUNTED: N_("Deal {deal} · Points"),
}


@dataclass(frozen=True, slots=True)
class ShownHand:
    """One player's cards at a step, with those that are highlighted and those already played."""

    cards: Hand
    lit: Hand = ()
    gone: Hand = ()

    @property
    def remaining(self) -> Hand:
        """The cards that are still in the hand."""
        gone = Counter(self.gone)
        return tuple([card for card in self.cards if not _take(gone, card)])


def _take(gone: Counter[Card], card: Card) -> bool:
    gone[card] -= 1
    return gone[card] >= 0


def picture(table: PublicTable, deal: PublicDeal, at: Step, complete: Deal) -> Picture:
    """The table at this step; `table` and `deal` are what everyone saw then, `complete` is the whole deal."""
    hands = [_shown_hand(at, complete, seat) for seat in range(complete.rules.players)]
    on_table = replace(table_scene(table, deal), title=heading(table, deal, at))
    open_hands = tuple([_open_hand(table, at, seat, hand) for seat, hand in enumerate(hands)])
    scene = HandsScene(open_hands, complete.rules.pack.hand_size, on_table)
    spoken = description(table, deal, on_table) if at.stage is Stage.PLAYED else on_table.title
    return Picture(scene, _described(table, deal, at, hands, spoken), _words(table, deal, at, hands))


def heading(table: PublicTable, deal: PublicDeal, at: Step) -> str:
    """`Deal 3 · The pass`, `Deal 3 · Trick 7`."""
    if at.stage is Stage.PLAYED:
        return title(table, deal)
    return table.say(TITLES[at.stage], deal=deal.number)


def _shown_hand(at: Step, complete: Deal, seat: int) -> ShownHand:
    deal = at.deal
    match at.stage:
        case Stage.DEALT:
            return ShownHand(sort_hand(complete.dealt.hands[seat]))
        case Stage.PASSED:
            return ShownHand(_held(complete, seat), lit=complete.received[seat])
        case Stage.EXPOSED:
            return ShownHand(_held(complete, seat), lit=deal.face_up[seat])
        case Stage.PLAYED:
            played = _cards_played(complete, seat, [*(one.trick for one in deal.tricks), deal.trick])
            return ShownHand(_held(complete, seat), lit=deal.face_up[seat], gone=played)
        case Stage.COUNTED:
            counts = complete.rules.counting.scoring
            return ShownHand(sort_hand(card for card in complete.piles[seat] if card in counts))


def _held(complete: Deal, seat: int) -> Hand:
    """What this seat held when play began, which is all that it played in the end."""
    return sort_hand(_cards_played(complete, seat, [one.trick for one in complete.tricks]))


def _cards_played(complete: Deal, seat: int, tricks: Iterable[Trick]) -> Hand:
    plays = (trick.laid(complete.rules.players) for trick in tricks)
    return tuple([card for trick in plays for player, card in trick if player == seat])


def _open_hand(table: PublicTable, at: Step, number: int, hand: ShownHand) -> OpenHand:
    seat, points = table.seats[number], at.deal.points
    return OpenHand(
        name=visible(table.names[number], table.language),
        seat=seat_number(table.dialect, number),
        cards=hand.cards,
        lit=frozenset(places_in_hand(hand.cards, hand.lit)),
        gone=frozenset(places_in_hand(hand.cards, hand.gone)),
        score=score(table.rules, points[number]) if points and at.stage is Stage.COUNTED else None,
        is_computer=not seat.is_played_by_person,
    )


def _described(
    table: PublicTable, deal: PublicDeal, at: Step, hands: Sequence[ShownHand], spoken: str
) -> str:
    """The picture's alternative text, up to 1024 characters: `spoken` about the table, then all hands."""
    language = table.language
    points = [
        f"{short(name, language)} {language.change(value)}"
        for name, value in zip(table.names, deal.points or deal.so_far, strict=True)
        if value and at.stage in (Stage.PLAYED, Stage.COUNTED)
    ]
    so_far = [table.say("Points: {points}", points=language.series(points))] if points else []
    does = N_("{who} took {cards}") if at.stage is Stage.COUNTED else N_("{who} holds {cards}")
    held = [
        table.say(does, who=short(name, language), cards=symbols(hand.remaining))
        for name, hand in zip(table.names, hands, strict=True)
        if hand.remaining
    ]
    return described(language.statements([spoken, *so_far, *held]), LONGEST_DESCRIPTION)


def _words(table: PublicTable, deal: PublicDeal, at: Step, hands: Sequence[ShownHand]) -> str:
    """The trick and all hands as text, for when no picture can be sent."""
    lines = [f"### {heading(table, deal, at)}"]
    if at.stage is Stage.PLAYED and deal.trick.cards:
        lines.append(tricks.laid(table, deal.trick, deal.winning, deal.cancelled, complete=False))
    elif at.stage is Stage.PLAYED:
        last = deal.tricks[-1]
        lines.append(tricks.laid(table, last.trick, last.winning, last.cancelled, complete=True))
    if at.stage is Stage.PLAYED and deal.tricks:
        lines += tricks.so_far(table, deal.tricks[-1])
    lines += [
        f"{bold(table, seat)} {chips(hand.remaining)}" for seat, hand in enumerate(hands) if hand.remaining
    ]
    return "\n".join(lines)
