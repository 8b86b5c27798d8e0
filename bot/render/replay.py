"""A replay: one step of a deal that is done, with all hands open, and the ways from there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.messages import Button, Colour, Part, Whisper
from bot.render import accounts, deals, hints, open_table, scores, spots, tricks
from bot.render.spots import Spot
from bot.render.text import bold, cards_in_words, chips, harmless, wins
from bot.render.tones import stripe
from engine.errors import RecordError
from engine.play import steps
from engine.play.deal import Deal
from engine.play.game import Game
from engine.play.public import PublicDeal
from engine.play.steps import Stage, Step
from engine.play.views import public_view
from engine.rules.wording import direction, listing, number
from engine.tables import PublicTable, Review, State, Table


def replay(table: Table, spot: Spot, page: int | None = None) -> Whisper:
    """This step of a game's done deals, for whoever looks at it again; `page` of the list of deals.

    IndexError if there is no such deal or step.
    """
    assert table.game is not None
    game, table = table.game.complete_deals, table.as_in(spot.deal)
    if not 1 <= spot.deal <= len(game.deals):
        raise IndexError(spot.deal)
    done = game.deals[spot.deal - 1]
    at = steps.at(done, spot.step)
    then = _then(table, game, at)
    assert then.view is not None
    deal = then.view.deal
    assert deal is not None
    parts: list[Part] = [open_table.picture(then, deal, at, done)]
    if told := "\n".join(_told(then, deal, at, done)):
        parts.append(told)
    parts += spots.deals(table.public, game, spot, page)
    parts += [spots.costly(table.public, spot), *spots.ways(game, done, spot)]
    return Whisper(tuple(parts), _colour(then, deal, at))


def _then(table: Table, game: Game, at: Step) -> PublicTable:
    """The table as everybody saw it at this step."""
    view = public_view(steps.game_at(game, at))
    state = State.OVER if at.stage is Stage.COUNTED else State.PLAYING
    return replace(table.public, view=view, state=state, timer=None, paused=False)


def _colour(table: PublicTable, deal: PublicDeal, at: Step) -> Colour:
    """Where a trick has just been taken, whether that helped or hurt."""
    is_whole = at.stage is Stage.PLAYED and not deal.trick.cards
    return stripe(table.rules, deal.tricks[-1].cost) if is_whole else Colour.TABLE


def _told(table: PublicTable, deal: PublicDeal, at: Step, done: Deal) -> Iterator[str]:
    """What has happened at this step."""
    match at.stage:
        case Stage.DEALT:
            yield from _dealt(table, deal)
        case Stage.PASSED:
            yield from _passed(table, done)
        case Stage.EXPOSED:
            yield from _exposed(table, deal)
        case Stage.PLAYED:
            yield from _played(table, deal, done)
        case Stage.COUNTED:
            yield from _counted(table, deal)


def _dealt(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    yield f"The cards of deal {deal.number} as {bold(table, deal.dealer)} dealt them."
    view = table.view
    if view and view.history:
        totals = [f"{bold(table, seat)} {number(total)}" for seat, total in enumerate(view.totals)]
        yield f"-# Totals before it: {', '.join(totals)}"


def _passed(table: PublicTable, done: Deal) -> Iterator[str]:
    players = done.rules.players
    yield f"Everyone passed {cards_in_words(done.rules.pass_cards)} {direction(done.offset, players)}:"
    for seat, cards in enumerate(done.passes):
        yield f"{bold(table, seat)} {chips(cards or ())} → {bold(table, (seat + done.offset) % players)}"


def _exposed(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    if not deal.exposures:
        yield "Nobody exposes a card."
        return
    told = [
        f"{bold(table, seat)} exposes {chips(cards)}" for seat, cards in accounts.exposed_by(deal).items()
    ]
    yield f"{listing(told)}."
    yield from accounts.doubled(table, deal)


def _played(table: PublicTable, deal: PublicDeal, done: Deal) -> Iterator[str]:
    """The last card that was laid or, once the trick is complete, who took it."""
    if deal.trick.cards:
        seat, card = deal.trick.laid(table.rules.players)[-1]
        yield f"{bold(table, seat)} {'plays' if len(deal.trick.cards) > 1 else 'leads'} {chips([card])}."
    else:
        yield tricks.outcome(table, deal.tricks[-1])
    if deal.on_hold:
        yield tricks.on_hold(deal)
    if deal.shooter is not None:
        yield f"🌕 {bold(table, deal.shooter)} has shot the moon!"
    if done.settled_after == len(deal.tricks) and not deal.trick.cards:
        yield "-# From here on no points are left in this deal."


def _counted(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """What the deal came to, and who has won if it was the last."""
    yield from deals.moon(table, deal)
    yield scores.standing(table, deal)
    winners = table.view.winners if table.view else None
    if winners:
        yield f"🏆 {wins(table, winners)}!"


def costliest(found: Review, spot: Spot, who: int) -> Whisper:
    """What a seat's choices cost in the deal that is shown, with a way to each of them, for `who` asks."""
    assert found.table.game is not None
    done = found.table.game.deals[found.deal - 1]
    ways = []
    for slot, one in enumerate(found.costly):
        seen = one.decision.view
        there = replace(spot, deal=found.deal, step=steps.number_of(done, seen.deal))
        ways.append(Button(f"{hints.where(seen)} ›", there.action("step", slot)))
    is_own = found.table.seats[found.seat].person == who
    told = hints.review(found) if is_own else hints.review_of(found)
    return replace(told, parts=(*told.parts, tuple(ways))) if ways else told


def faulty(name: str, fault: RecordError) -> Whisper:
    """Why a file's game cannot be shown, and where in it the fault lies."""
    where = "" if fault.deal is None else f"\n-# Deal {fault.deal}"
    if fault.play is not None:
        where += f", card {fault.play + 1}"
    return Whisper((f"**{harmless(name)}** cannot be shown. {harmless(str(fault))}{where}",))
