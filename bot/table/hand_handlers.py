"""What players do with a hand, in a DM or under **My hand**: pass, expose, play, and ask for hints."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot.answering.answering import Click, Services, command, handles
from bot.answering.limits import DoubleTaps
from bot.delivery import Delivery, Reply
from bot.table.announcer import Announcer
from bot.table.exposing import AskToExpose, Decline, DontExpose, Expose
from bot.table.hand import ChooseMoon
from bot.table.hands import hand_of, holder, with_link
from bot.table.hints import GiveHint
from bot.table.latecomers import onlooker
from bot.table.passing import PassCards, PickCard, PutBackCard
from bot.table.playing import ConfirmPlay, Play
from bot.vocabulary.controls import Action, DealAction, Where, Who
from bot.vocabulary.messages import Link
from bot.words.buttons import ShowHand
from engine.cards import Card
from engine.errors import Refusal
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.tables import Moment, State, Table, Tables, Teacher, changes

#: Refusals of clicks on a message that is out of date. At a table alone, updating it is answer enough.
OUTDATED = ("stale", "not_passing", "not_exposing", "not_playing", "already_started")


@command(Who.ANYONE, Where.ANYWHERE)
async def hand_command(services: Services, reply: Reply) -> None:
    """See your hand and play from it, for you alone."""
    await answer_with_hand(services, reply, services[Tables].at(reply.place))


@handles
async def show_hand(click: Click[ShowHand]) -> None:
    """Show the player's hand in this channel's current game, even from an old post."""
    tables, reply = click.services[Tables], click.reply
    table = tables.get(click.table) if click.in_dm else tables.at(reply.channel)
    await answer_with_hand(click.services, reply, table)


async def answer_with_hand(services: Services, reply: Reply, table: Table) -> None:
    """Answer with this person's hand at this table, and keep it up to date for a while.

    People who have no hand are told how to join.
    """
    seat, public = table.seat_of(reply.user_id), table.public.in_language(reply.language)
    if seat is None and table.state is State.PLAYING:
        await reply.whisper(onlooker(public, reply.user_id))
        return
    if seat is not None and table.game is not None and table.seats[seat].away and not table.is_alone:
        raise Refusal("away", table=table.id)
    prefers = services[Tables].preferences.of(reply.user_id)
    hand = hand_of(holder(table, public, reply.user_id, prefers=prefers))
    if table.paused and services[Delivery].posts.of(table.id).holds_back(hand):
        raise Refusal("paused")
    deal = len(table.game.deals) if table.game else 0
    if link := services[Delivery].dms.of(table.id, reply.user_id).link(deal):
        hand = with_link(hand, Link(public.say("Open the DM"), link))
    await services[Delivery].my_hand.of(table.id, reply.user_id).open(reply, hand, lasting=table.is_private)


# What a click on a hand does


@handles
async def pick_card(click: Click[PickCard]) -> None:
    """Pick a card to pass."""
    await _pick(click, is_picked=True)


@handles
async def put_back_card(click: Click[PutBackCard]) -> None:
    """Put a picked card back."""
    await _pick(click, is_picked=False)


async def _pick(click: Click[PickCard | PutBackCard], *, is_picked: bool) -> None:
    at, place = Moment(click.action.deal), click.action.place
    async with carrying_click(click, at.deal):
        await click.change(changes.pick, place, at, is_picked=is_picked)


@handles
async def pass_cards(click: Click[PassCards]) -> None:
    """Pass the cards that the button names."""
    cards = tuple([click.card(code) for code in click.action.cards])
    await move(click, lambda seat: Passed(seat, cards))


@handles
async def ask_to_expose(click: Click[AskToExpose]) -> None:
    """Ask the player to confirm that they expose this card."""
    card = click.card(click.action.card)
    await _ask_about(click, card, lambda seat: Exposed(seat, card))


@handles
async def expose(click: Click[Expose]) -> None:
    """Expose a card."""
    card = click.card(click.action.card)
    await move(click, lambda seat: Exposed(seat, card))


@handles
async def dont_expose(click: Click[DontExpose]) -> None:
    """Close the question of whether to expose a card."""
    async with carrying_click(click, click.action.deal):
        show_newest(click, click.action.deal)


@handles
async def decline(click: Click[Decline]) -> None:
    """Expose nothing more, unless someone else has done so meanwhile."""
    await move(click, Declined, exposures=click.action.exposures)


@handles
async def play(click: Click[Play]) -> None:
    """Play a card, or raise it and ask first, as its player prefers.

    The second half of a double tap only shows the hand as it is.
    """
    card, taps = click.card(click.action.slot), click.services[DoubleTaps]
    at, received = Moment(click.action.deal, click.action.trick), click.received_at
    taps_twice = click.services[Tables].preferences.of(click.person.id).taps_twice
    if taps_twice and not isinstance(click.action, ConfirmPlay):
        await _ask_about(click, card, lambda seat: Played(seat, card), trick=click.action.trick)
        return
    async with carrying_click(click, at.deal):
        if taps.is_one(click.person.id, received):
            show_newest(click, at.deal)
            return
        with taps.playing(click.person.id, received):
            await click.change(changes.act, lambda seat: Played(seat, card), at)


@handles
async def confirm_play(click: Click[ConfirmPlay]) -> None:
    """Play the card that the first tap raised."""
    await play(click)


@handles
async def choose_moon(click: Click[ChooseMoon]) -> None:
    """Decide what a moon does."""
    await move(click, lambda seat: MoonChosen(seat, click.action.choice))


@handles
async def give_hint(click: Click[GiveHint]) -> None:
    """Show a hint in the hand or, if the game has moved on by then, just the current hand."""
    at = Moment(click.action.deal, click.action.trick)
    hint = click.services[Teacher].hint(click.table, click.person.id, at)
    [advice] = await asyncio.gather(hint, return_exceptions=True)  # meanwhile the hand may change
    async with carrying_click(click, at.deal):
        if isinstance(advice, BaseException):
            raise advice
        await click.services[Tables].change(click.table, changes.give_hint, advice)


# How these clicks are answered


async def move(
    click: Click[DealAction],
    make: Callable[[int], SeatMove],
    *,
    exposures: int | None = None,
) -> None:
    """Make a move, and answer with the hand after it; if it's refused, with the current hand."""
    at = Moment(click.action.deal, None, exposures)
    async with carrying_click(click, at.deal):
        await click.change(changes.act, make, at)


async def _ask_about(
    click: Click[DealAction],
    card: Card,
    make: Callable[[int], SeatMove],
    *,
    trick: int | None = None,
) -> None:
    """Ask for confirmation of a move with this card, in the hand that answers the click."""
    at = Moment(click.action.deal, trick)
    async with carrying_click(click, at.deal):
        # A move that would be refused is refused before the question.
        changes.act(click.services[Tables].get(click.table), click.reply.user_id, make, at)
        show_newest(click, at.deal, asking=card)


@asynccontextmanager
async def carrying_click(click: Click[Action], deal: int) -> AsyncIterator[None]:
    """Answer this click on a hand with the state that the hand has after this block.

    Refusal if the table is gone: then nothing is shown.
    """
    click.check_private()
    table = click.services[Tables].get(click.table)
    delivery, person = click.services[Delivery], click.reply.user_id
    is_dm = _is_dm_of_deal(click, table)
    carrying = delivery.dms.of(table.id, click.person.id).carrying_click(deal, click.reply)
    if not is_dm:
        carrying = delivery.my_hand.of(table.id, click.person.id).carrying_click(click.reply)
    async with carrying:
        try:
            yield
        except Refusal as refusal:
            show_newest(click, deal)
            if not (table.is_alone and refusal.id in OUTDATED):
                raise
        knows = delivery.dms.of(table.id, person).knows(deal)
        if not (knows if is_dm else delivery.my_hand.of(table.id, person).is_known):
            show_newest(click, deal)


def _is_dm_of_deal(click: Click[Action], table: Table) -> bool:
    """Whether the click was on a DM with the hand of one deal.

    A private table has one message for all its deals, but a daily game's player can ask for DMs too.
    """
    if not table.is_private or not click.in_dm:
        return click.in_dm
    return click.services[Delivery].dms.has_sent(table.id, (click.reply.channel, click.reply.clicked))


def show_newest(click: Click[Action], deal: int, *, asking: Card | None = None) -> None:
    """Update the hand that was clicked, `asking` whether to expose or play this card."""
    table = click.services[Tables].get(click.table)
    place = deal if _is_dm_of_deal(click, table) else None
    click.services[Announcer].show_hand(table, click.reply.user_id, place, asking=asking)
