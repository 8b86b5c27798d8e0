"""The table of a deal as its picture shows it, made from what everyone may see."""

from collections.abc import Collection
from functools import cache

from bot.vocabulary.scenes import LaidCard, LastTrick, SeatScene, TableScene, TableWords
from bot.words.text import described, seat_number, short, symbols, visible
from bot.words.tones import score
from engine.cards import Card, Hand
from engine.languages import N_, Language
from engine.play.deal import DoneTrick, Phase
from engine.play.feats import is_sun
from engine.play.public import PublicDeal
from engine.rules.plays import Trick
from engine.tables import PublicTable, State

#: What a player has shot, by whether it is the sun.
SHOT = {False: N_("{who} has shot the moon"), True: N_("{who} has shot the sun")}


def table_scene(table: PublicTable, deal: PublicDeal) -> TableScene:
    """The table at this moment: a complete trick lies there until someone leads to the next."""
    trick, turn = _complete(deal), waited_for(table, deal)
    laid = _laid(table, deal, trick)
    seats = range(table.rules.players)
    return TableScene(
        title=title(table, deal),
        note=table.say("Hearts broken") if _hearts_broken(table, deal) else "",
        places=tuple([_place(table, deal, seat, laid.get(seat), is_turn=seat == turn) for seat in seats]),
        last=_last(table, deal),
        on_hold=_on_hold(deal, trick),
        doubled=deal.exposed,
        words=_words(table.dialect, len(deal.exposures)),
    )


@cache
def _words(language: Language, exposed: int) -> TableWords:
    return TableWords(
        language.say("Last trick"),
        language.say("On hold"),
        language.say("suits × 2") if exposed > 1 else language.say("suit × 2"),
    )


def _hearts_broken(table: PublicTable, deal: PublicDeal) -> bool:
    return table.rules.hearts_broken_by is not None and deal.hearts_broken


def title(table: PublicTable, deal: PublicDeal) -> str:
    """The deal, and the trick that lies on the table: `Deal 3 · Trick 7`."""
    if deal.phase is Phase.EXPOSING:
        return table.say("Deal {deal} · Exposing", deal=deal.number)
    trick = len(deal.tricks) + (not _complete(deal))
    return table.say("Deal {deal} · Trick {trick}", deal=deal.number, trick=trick)


def description(table: PublicTable, deal: PublicDeal, scene: TableScene) -> str:
    """The trick that lies on the table and what was exposed, for people who can't see the picture."""
    statements, laid = [scene.title, *_outcome(table, deal)], []
    for number, place in enumerate(scene.places):
        who = _name(table, number)
        if place.is_turn and deal.shooter is not None:
            statements.append(table.say("{who} chooses", who=who))
        elif place.is_turn and deal.trick.cards:
            statements.append(table.say("{who} is to play", who=who))
        elif place.is_turn:
            statements.append(table.say("{who} leads", who=who))
        if place.laid:
            laid.append((place.laid.place, f"{who} {_marked(place.laid, table.language)}"))
    if laid:
        statements.append(table.language.series([words for _, words in sorted(laid)]))
    if exposed := deal.exposed_by:
        each = [f"{_name(table, seat)} {symbols(cards)}" for seat, cards in exposed.items()]
        statements.append(table.say("Exposed: {cards}", cards=table.language.series(each)))
    return described(table.language.statements(statements))


def _name(table: PublicTable, seat: int) -> str:
    return short(table.names[seat], table.language)


def waited_for(table: PublicTable, deal: PublicDeal) -> int | None:
    """The one seat that everyone is waiting for, unless that is secret (C2)."""
    if table.state is not State.PLAYING:
        return None
    return deal.shooter if deal.phase is Phase.CHOOSING_MOON else deal.turn


def _complete(deal: PublicDeal) -> DoneTrick | None:
    """The trick that has just been completed, until someone leads to the next."""
    return deal.tricks[-1] if deal.tricks and not deal.trick.cards else None


def _laid(table: PublicTable, deal: PublicDeal, trick: DoneTrick | None) -> dict[int, LaidCard]:
    """The cards on the table, by the seats that laid them."""
    if trick:
        return _cards(table, trick.trick, trick.winning, trick.cancelled)
    return _cards(table, deal.trick, deal.winning, deal.cancelled)


def _cards(
    table: PublicTable, trick: Trick, winning: int | None, cancelled: Collection[Card]
) -> dict[int, LaidCard]:
    return {
        seat: LaidCard(card, index + 1, card in cancelled, index == winning)
        for index, (seat, card) in enumerate(trick.laid(table.rules.players))
    }


def _place(
    table: PublicTable, deal: PublicDeal, number: int, laid: LaidCard | None, *, is_turn: bool
) -> SeatScene:
    seat, points = table.seats[number], (deal.points or deal.so_far)[number]
    return SeatScene(
        name=visible(table.names[number], table.language),
        seat=seat_number(table.dialect, number),
        laid=laid,
        score=score(table.rules, points) if points else None,
        exposed=deal.face_up[number],
        is_turn=is_turn,
        is_computer=not seat.is_played_by_person,
    )


def _last(table: PublicTable, deal: PublicDeal) -> LastTrick | None:
    if not deal.tricks:
        return None
    trick = deal.tricks[-1]
    cards = tuple(_cards(table, trick.trick, trick.winning, trick.cancelled).values())
    return LastTrick(cards, trick.winner, score(table.rules, trick.cost))


def _on_hold(deal: PublicDeal, trick: DoneTrick | None) -> Hand:
    """The cards on hold, without those of a trick that still lies on the table."""
    lying = len(trick.trick.cards) if trick and trick.winner is None else 0
    return deal.on_hold[: len(deal.on_hold) - lying]


def _outcome(table: PublicTable, deal: PublicDeal) -> list[str]:
    """Who takes the completed trick, if there is one, and who shot the moon or the sun with it."""
    trick = _complete(deal)
    if trick is None:
        return []
    if trick.winner is None:
        return [table.say("On hold for the next winner")]
    who = _name(table, trick.winner)
    if trick.cost:
        statements = [
            table.say("{who} takes it: {points}", who=who, points=table.language.change(trick.cost))
        ]
    else:
        statements = [table.say("{who} takes it", who=who)]
    if deal.shooter is not None:
        statements.append(table.say(SHOT[is_sun(deal)], who=_name(table, deal.shooter)))
    return statements


def _marked(laid: LaidCard, language: Language) -> str:
    text = laid.card.symbol
    if laid.is_cancelled:
        text = language.say("{card} (cancelled)", card=text)
    return language.say("{card} (highest)", card=text) if laid.is_highest else text
