"""The tricks of a deal in words."""

from collections.abc import Collection, Iterable

from bot.table.deal_breakdown import multiplier
from bot.words.text import bold, brief, chip, chips, person, player, struck
from bot.words.tones import score, sign
from engine.cards import Card, Hand, Suit
from engine.languages import N_, Language
from engine.play.deal import DoneTrick
from engine.play.public import PublicDeal
from engine.rules.counting import Entry, Why
from engine.rules.plays import Trick
from engine.tables import PublicTable

#: P8, where every card of the suit led is cancelled: while the last trick is played, and after it.
LAST_TRICK_SO_FAR = N_(
    "Every card of the suit led is cancelled so far. If that stays so, the second copy of the highest "
    "one wins this last trick."
)
LAST_TRICK = N_(
    "Every card of the suit led is cancelled, but the last trick goes to the second copy of the highest card."
)
#: Who takes a trick: without and with extras, such as cards of the kitty.
TAKES = (N_("{who} takes it: {worth}."), N_("{who} takes it, with {more}: {worth}."))
TAKES_ALL = (
    N_("{who} takes it and everything on hold: {worth}."),
    N_("{who} takes it and everything on hold, with {more}: {worth}."),
)


def on_hold(deal: PublicDeal, language: Language) -> str:
    """The cards on hold for the next winner."""
    cards, points = chips(deal.on_hold), language.points(deal.on_hold_points)
    if not deal.on_hold_kitty:
        return language.say("On hold for the next winner: {cards} ({points}).", cards=cards, points=points)
    return language.say_count(
        deal.on_hold_kitty,
        "On hold for the next winner: {cards} ({points}), with a card of the kitty.",
        "On hold for the next winner: {cards} ({points}), with {count} cards of the kitty.",
        cards=cards,
        points=points,
    )


def going_on(table: PublicTable, deal: PublicDeal) -> str:
    """The trick that is being played, and what became of the one before."""
    parts = [laid(table, deal.trick, deal.winning, deal.cancelled, complete=False)]
    if deal.on_hold:
        parts.append(on_hold(deal, table.language))
    if deal.tricks:
        result = outcome(table, deal.tricks[-1])
        parts.append(f"-# {table.say('Trick {trick}: {outcome}', trick=len(deal.tricks), outcome=result)}")
        parts += so_far(table, deal.tricks[-1])
    return "\n".join(parts)


def complete(table: PublicTable, trick: DoneTrick) -> str:
    """A finished trick: its cards, who took it and what it cost, and the points so far."""
    cards = laid(table, trick.trick, trick.winning, trick.cancelled, complete=True)
    return "\n".join([cards, outcome(table, trick), *so_far(table, trick)])


def listed(table: PublicTable, deal: PublicDeal, index: int, *, with_names: bool) -> str:
    """A trick in a list, from its leader's card on: `4 · Lola 3♠ · **Nina Q♠** · Ann 6♠ → Nina +13`.

    With the leader's name alone, it is `4 · Lola 3♠ **Q♠** 6♠ → Nina +13`.
    """
    trick = deal.tricks[index]
    cards = _symbols(trick.trick.cards, trick.cancelled)
    for place, (seat, _) in enumerate(trick.trick.laid(table.rules.players)):
        if with_names or place == 0:
            cards[place] = f"{brief(table, seat)} {cards[place]}"
    if trick.winning is not None:
        cards[trick.winning] = f"**{cards[trick.winning]}**"
    return f"{index + 1} · {(' · ' if with_names else ' ').join(cards)} → {_went(table, trick)}"


def _went(table: PublicTable, trick: DoneTrick) -> str:
    """What became of a trick in a list: `Nina +13`, `Nina × 2, with a card of the kitty`, `on hold`."""
    if trick.winner is None:
        return table.language.say_as("of a trick", "on hold")
    times = [f"× {entry.times}" for entry in trick.multipliers]
    taker = " ".join([brief(table, trick.winner), *_cost(table, trick), *times])
    if not trick.kitty:
        return taker
    return table.say_count(
        trick.kitty,
        "{taker}, with a card of the kitty",
        "{taker}, with {count} cards of the kitty",
        taker=taker,
    )


def _cost(table: PublicTable, trick: DoneTrick) -> list[str]:
    return [table.language.change(trick.cost)] if trick.cost else []


def toned(table: PublicTable, value: int) -> str:
    """Points, and whether they help or hurt: `🔴 13`."""
    return f"{sign(table.rules, value)} {score(table.rules, value).text}"


def _symbols(cards: Hand, cancelled: frozenset[Card]) -> list[str]:
    """The cards in plain characters: as emojis, a deal's cards wouldn't fit into a message."""
    return [f"~~{card.symbol}~~" if card in cancelled else card.symbol for card in cards]


def so_far(table: PublicTable, trick: DoneTrick) -> list[str]:
    """Each player's points in this deal after this trick, without those hidden in the kitty."""
    standing = [
        f"{person(name, table.language)} {toned(table, value)}"
        for name, value in zip(table.names, trick.so_far, strict=True)
        if value
    ]
    if not standing:
        return []
    line = table.say("Points in this deal so far: {points}", points=table.language.series(standing))
    return [f"-# {line}"]


def laid(
    table: PublicTable, trick: Trick, winning: int | None, cancelled: Collection[Card], *, complete: bool
) -> str:
    """A line for each card in order: cancelled pairs are struck through, and the winning card stands out."""
    lines, language = [], table.language
    for place, (seat, card) in enumerate(trick.laid(table.rules.players)):
        symbol = struck(card) if card in cancelled else chip(card)
        name = player(table, seat, stressed=not complete or place == winning)
        notes = [language.say_as("of a card in a trick", "led")] if place == 0 else []
        if place == winning:
            notes.append(
                language.say_as("of a card in a trick", "wins")
                if complete
                else language.say_as("of a card in a trick", "highest")
            )
        note = f" · {language.series(notes)}" if notes else ""
        lines.append(f"{symbol} {name}{note}")
    if cancelled and not complete:
        if winning is None:
            lines.append(f"-# {table.say('All of the suit led is cancelled so far.')}")
        elif trick.cards[winning] in cancelled:
            lines.append(f"-# {table.say(LAST_TRICK_SO_FAR)}")
    return "\n".join(lines)


def _along(table: PublicTable, trick: DoneTrick) -> list[str]:
    """What a trick's winner takes besides points: `a card of the kitty`, `10♣ (× 2, alone +50)`.

    Only the winner learns which cards of the kitty these are (W3).
    """
    extras = []
    if trick.kitty:
        # Note: As in "Ann takes it, with 2 cards of the kitty: 3 points."
        extras.append(table.say_count(trick.kitty, "a card of the kitty", "{count} cards of the kitty"))
    return [*extras, *[multiplier(table, entry) for entry in trick.multipliers]]


def outcome(table: PublicTable, trick: DoneTrick) -> str:
    """Who took a trick and for how much, or that it's on hold."""
    if trick.winner is None or trick.winning is None:
        return table.say(
            "Every card of the suit led is cancelled: the trick is **on hold**, and the same player leads."
        )
    takes, takes_more = TAKES_ALL if len(trick.won) > len(trick.trick.cards) else TAKES
    who, worth, more = bold(table, trick.winner), _worth(table, trick), _along(table, trick)
    if more:
        sentence = table.say(takes_more, who=who, worth=worth, more=table.language.listing(more))
    else:
        sentence = table.say(takes, who=who, worth=worth)
    if trick.trick.cards[trick.winning] in trick.cancelled:
        return table.language.sentences([table.say(LAST_TRICK), sentence])
    return sentence


def _worth(table: PublicTable, trick: DoneTrick) -> str:
    """A trick's points and the cards that made them, `🔴 **13 points** (Q♠)`, or that there are none."""
    if cards := _counting(table, [entry for entry in trick.entries if entry.why is Why.VALUE]):
        points = f"{sign(table.rules, trick.cost)} **{table.language.points(trick.cost)}**"
        return table.say("{points} ({cards})", points=points, cards=cards)
    return table.say("no points")


def _counting(table: PublicTable, entries: Iterable[Entry]) -> str:
    """The cards that made the points: `Q♠ 3♥`, `Q♠ 4 hearts`."""
    words = []
    for entry in sorted(entries, key=lambda entry: entry.cards[0].suit is Suit.HEARTS):
        count = len(entry.cards)
        if count > 3 and entry.cards[0].suit is Suit.HEARTS:
            words.append(table.say_count(count, "{count} heart", "{count} hearts"))
        else:
            words.append(chips(entry.cards))
    return " ".join(words)


def deals_with_tricks(table: PublicTable) -> list[PublicDeal]:
    """The current deal and the previous one, if they have complete tricks."""
    view = table.view
    return [deal for deal in (view.deal, view.previous) if deal and deal.tricks] if view else []
