"""The story of a game: the curve of its totals, what decided it, and the result in a few lines."""

from collections import Counter
from collections.abc import Iterable, Iterator

from bot.vocabulary.messages import Colour, Picture, Whisper
from bot.vocabulary.scenes import Curve, CurvesScene
from bot.words.text import MEDALS, bold, chip, described, names, plain, seat_number, short, visible
from bot.words.tones import AS_GOOD, BETTER, WORSE, signs
from engine.cards import QUEEN_OF_SPADES, Card
from engine.play.feats import is_sun
from engine.play.public import PublicDeal
from engine.play.views import PublicView
from engine.tables import PublicTable

#: The most deals in a player's line of a result to share.
LAST = 12


def curves(table: PublicTable) -> list[Picture]:
    """The totals after each deal as a picture, once there is more than a line from 0 to draw."""
    view = table.view
    if view is None or len(view.history) < 2:
        return []
    drawn = [
        Curve(
            visible(name, table.language),
            seat_number(table.dialect, number),
            (0, *[totals[number] for totals in view.history]),
            number in table.winners,
        )
        for number, name in enumerate(table.names)
    ]
    title = table.say("Totals after each deal")
    scene = CurvesScene(tuple(drawn), table.rules.final_totals, title, _end(table))
    standing = [
        f"{short(name, table.language)} {table.language.number(total)}"
        for name, total in zip(table.names, view.totals, strict=True)
    ]
    description = table.say_count(
        len(view.history),
        "Totals after {count} deal: {totals}",
        "Totals after {count} deals: {totals}",
        totals=table.language.series(standing),
    )
    return [Picture(scene, described(description), "")]


def _end(table: PublicTable) -> str:
    """The total that ends the game, where there is one."""
    limits = table.rules.final_totals
    if not limits or table.tournament:
        return ""
    end = f"±{limits[0]}" if len(limits) > 1 else table.language.number(limits[0])
    return table.say("ends at {end}", end=end)


def story(table: PublicTable) -> Iterator[str]:
    """How a game was won: since when, and who shot the moon or the sun and took queens."""
    view = table.view
    if view is None or view.deal is None or not table.winners:
        return
    if line := _decided(table, view):
        yield line
    deals = [*view.past, view.deal]
    shot = [(deal, deal.shooter) for deal in deals if deal.shooter is not None]
    if moons := [(deal, seat) for deal, seat in shot if not is_sun(deal)]:
        yield f"🌕 {table.say('Moons: {players}.', players=_counted(table, moons))}"
    if suns := [(deal, seat) for deal, seat in shot if is_sun(deal)]:
        yield f"☀️ {table.say('Suns: {players}.', players=_counted(table, suns))}"
    if queens := [(deal, seat) for deal in deals for seat in _takers(deal, QUEEN_OF_SPADES)]:
        card = chip(QUEEN_OF_SPADES)
        yield table.say("{card} taken: {players}.", card=card, players=_counted(table, queens))


def _decided(table: PublicTable, view: PublicView) -> str:
    """Since which deal the winners led; "" for a single deal, or if someone who had left led at the end."""
    if len(view.history) == 1 or view.winners != table.winners:
        return ""
    since = len(view.history)
    for totals in reversed(view.history):
        if table.rules.winner.leaders(totals) != table.winners:
            break
        since -= 1
    who, count = names(table, table.winners), len(table.winners)
    if since:
        # Note: The forms are for one player and for several.
        return table.say_count(
            count,
            "{who} led from deal {deal} on.",
            "{who} led from deal {deal} on.",
            who=who,
            deal=since + 1,
        )
    # Note: The forms are for one player and for several.
    return table.say_count(
        count,
        "{who} led from the first deal to the last.",
        "{who} led from the first deal to the last.",
        who=who,
    )


def _takers(deal: PublicDeal, card: Card) -> Iterator[int]:
    """Who took this card in a deal that is done, once for each copy."""
    for seat, cards in enumerate(deal.taken):
        kitty = deal.kitty_taken[seat] if deal.kitty_taken else ()
        yield from [seat] * (cards + kitty).count(card)


def _counted(table: PublicTable, events: Iterable[tuple[PublicDeal, int]]) -> str:
    """How often each player had one of these seats in these deals: `**Ann** 2 and **Bo** 1`."""
    counts = Counter([(seat, bold(table.as_in(deal.number), seat)) for deal, seat in events])
    return table.language.listing([f"{name} {count}" for (_, name), count in counts.most_common()])


def in_a_few_lines(table: PublicTable) -> Whisper:
    """The result as text to copy: each player's place and total, and how each of the last deals went."""
    view, language = table.view, table.language
    assert view is not None
    heading = language.say_count(
        len(view.points),
        "{game}, {count} deal",
        "{game}, {count} deals",
        game=table.say(table.rules.preset.title),
    )
    places = table.places(view.totals)
    seats = sorted(range(len(places)), key=lambda seat: places[seat])
    legend = language.say(
        "{better} better than everyone's average, {as_good} about as good, {worse} worse",
        **{"better": BETTER, "as_good": AS_GOOD, "worse": WORSE},
    )
    lines = [f"🃏 {heading}", *[_player_line(table, view, seat, places[seat]) for seat in seats], legend]
    intro = language.say("Copy this and post it wherever you like:")
    return Whisper((intro + "\n```\n" + "\n".join(lines) + "\n```",), Colour.DONE)


def _player_line(table: PublicTable, view: PublicView, seat: int, place: int) -> str:
    """A player's place, total and deals, with a full moon for each that they shot: `🥇 Ann 34 🟩🟨🌕`."""
    name = plain(table.names[seat], table.language).replace("`", "'").replace("@", "@\u200b")
    averages = [sum(points) / len(points) for points in view.points]
    went = signs(table.rules, [points[seat] for points in view.points], averages)
    for deal in [*view.past, *([view.deal] if view.deal else [])]:
        if deal.shooter == seat and deal.number <= len(went):
            went[deal.number - 1] = "🌕"
    total = table.language.number(view.totals[seat])
    return (
        f"{MEDALS.get(place, f'{place}.')} {name} {total} {'…' * (len(went) > LAST)}{''.join(went[-LAST:])}"
    )
