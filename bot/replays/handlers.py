"""Games that have been played: scores, finished deals and their seals, replays card by card, and reviews."""

import json
import re
from collections.abc import Awaitable, Callable

import discord
from discord import app_commands

from bot.answering.answering import Click, Services, command, handles, last_table, number
from bot.answering.refusals import refused
from bot.delivery import Delivery, Reply
from bot.discord.faults import NETWORK
from bot.replays.replay import (
    ChooseDeal,
    Judge,
    ReplayAction,
    ReplayPosition,
    ShowStep,
    costliest,
    faulty,
    replay,
)
from bot.replays.watching import LookAtDeal, watching
from bot.table import deals, hints, scores, seals, tricks
from bot.table.board import opening_key
from bot.table.seals import CheckSeal
from bot.table.stories import in_a_few_lines
from bot.vocabulary.controls import GAMES, PAGES, Action, Where, Who
from bot.vocabulary.messages import Attachment, Whisper
from bot.words import par
from bot.words.buttons import OpenReplay, ReviewDeal, ShareGame, ShowTricks, Watch
from bot.words.par import ShowLuck
from bot.words.text import message_link
from engine.errors import RecordError, Refusal
from engine.play.public import public_deal
from engine.play.record import write_record
from engine.tables import Replays, State, Table, TableInfo, Tables, Teacher
from engine.tables.replays import LARGEST_FILE

# Of this channel's game


@command(Who.ANYONE, Where.ANYWHERE, cost=PAGES / 2)
async def scores_command(services: Services, reply: Reply) -> None:
    """See the points of each deal and the totals."""
    table = await last_table(services, reply)
    await reply.whisper(scores.sheet(table.public.in_language(reply.language)))


@command(Who.ANYONE, Where.ANYWHERE, cost=GAMES)
async def record_command(services: Services, reply: Reply) -> None:
    """Get this channel's last game as a file; for a game in progress, its complete deals."""
    table = await services[Tables].games.latest(reply.place)
    assert table.game is not None
    record = write_record(table.game.complete_deals, table.names)
    text = json.dumps(record, ensure_ascii=False) + "\n"
    await reply.whisper(Whisper((Attachment(f"hearts-{table.id}.jsonl", text.encode()),)))


@handles
async def show_tricks(click: Click[ShowTricks]) -> None:
    """List all finished tricks of a deal, even if that deal is over by now."""
    table = click.services[Tables].get(click.table).public.in_language(click.language)
    number = click.action.deal
    deal = next((one for one in tricks.deals_with_tricks(table) if one.number == number), None)
    if deal is None:
        raise Refusal("stale")
    await click.reply.whisper(deals.every_trick(table.as_in(number), deal))


@handles
async def show_luck(click: Click[ShowLuck]) -> None:
    """Compare everyone's points with par, deal by deal."""
    table = await click.services[Tables].games.whole(click.table)
    await click.reply.whisper(par.luck(table.public.in_language(click.language)))


@handles
async def share_game(click: Click[ShareGame]) -> None:
    """Show the result in a few lines to copy."""
    table = await click.services[Tables].games.whole(click.table)
    if table.state is not State.OVER:
        raise Refusal("stale")
    await click.reply.whisper(in_a_few_lines(table.public.in_language(click.language)))


# Finished deals


@handles
async def watch(click: Click[Watch]) -> None:
    """Show all hands of the last finished deal."""
    await click.reply.whisper(watching(await _watched(click)))


@handles
async def look_at_deal(click: Click[LookAtDeal]) -> None:
    """Show another finished deal in the same message."""
    await click.edit(watching(await _watched(click), max(1, click.action.deal)))


async def _watched(click: Click[Action]) -> Table:
    table = await click.services[Tables].games.whole(click.table)
    if table.daily:
        raise Refusal("stale")  # others may still have to play these cards
    return table.in_language(click.language)


@handles
async def check_seal(click: Click[CheckSeal]) -> None:
    """Show the cards and the salt of a finished deal, however long ago it was."""
    deal = await click.services[Tables].games.done_deal(click.table, click.action.deal)
    if deal.dealt.salt is None:
        raise Refusal("stale")
    table = await click.services[Tables].find(click.table)
    link = await _link(click, table, deal.number)
    await click.reply.whisper(
        seals.opened(public_deal(deal), link, click.language, is_private=table.is_alone)
    )


async def _link(click: Click[Action], table: TableInfo, deal: int) -> str | None:
    """A link to the post that opened this deal and showed its seal."""
    address = await click.services[Delivery].sent.find(table.id, opening_key(deal))
    return message_link(table.guild, *address) if address else None


# A game card by card


@command(Who.ANYONE, Where.ANYWHERE, cost=GAMES * 2)
@app_commands.describe(
    file="A game's record, as /hearts record gives it",
    game="Which game of the file, if it has several",
)
async def replay_command(
    services: Services,
    reply: Reply,
    file: discord.Attachment | None = None,
    game: app_commands.Range[int, 1, 10_000] | None = None,
) -> None:
    """Look at the last game again, card by card with all hands open, or at one from a file."""
    if file is None:
        table = await services[Replays].latest(reply.place)
        await reply.whisper(replay(table.in_language(reply.language), ReplayPosition(table.id)))
        return
    try:
        id, table = await services[Replays].hand_in(reply.user_id, await _content(file), game)
    except RecordError as fault:
        await reply.whisper(faulty(file.filename, fault, reply.language))
    else:
        await reply.whisper(replay(table.in_language(reply.language), ReplayPosition(0, id)))


async def _content(file: discord.Attachment) -> bytes:
    if file.size > LARGEST_FILE:
        raise Refusal("file_too_large", most=LARGEST_FILE // 1024)
    try:
        return await file.read()
    except (discord.HTTPException, *NETWORK):
        raise Refusal("file_unread") from None


@handles
async def open_replay(click: Click[OpenReplay]) -> None:
    """Open the replay of a table's game at its first deal."""
    position = ReplayPosition(click.table)
    await click.reply.whisper(_step(await _game(click, position), position))


@handles
async def show_step(click: Click[ShowStep]) -> None:
    """Show another step in the same message."""
    position = _position(click)
    await click.edit(_step(await _game(click, position), position))


@handles
async def choose_deal(click: Click[ChooseDeal]) -> None:
    """Show another deal as it was dealt, or another page of the list of deals."""
    position = _position(click)
    table = await _game(click, position)
    if page := re.fullmatch("p([0-9]{1,9})", click.value):
        await click.edit(_step(table, position, int(page[1])))
    else:
        await click.edit(_step(table, ReplayPosition(position.table, position.file, number(click.value))))


def _position(click: Click[ReplayAction]) -> ReplayPosition:
    at = click.action
    return ReplayPosition(at.table, at.file, at.deal, at.step)


async def _game(click: Click[Action], position: ReplayPosition) -> Table:
    """The game that is replayed; Refusal if this person may not see it."""
    replays = click.services[Replays]
    if position.table:
        table = await replays.of_table(position.table)
    else:
        table = await replays.of_file(position.file, click.person.id)
    return table.in_language(click.language)


def _step(table: Table, position: ReplayPosition, page: int | None = None) -> Whisper:
    try:
        return replay(table, position, page)
    except IndexError:
        raise Refusal("stale") from None


# Reviews


@handles
async def judge(click: Click[Judge]) -> None:
    """Show which of a player's choices in this deal cost the most."""
    position, seat = _position(click), number(click.value)
    table = (await _game(click, position)).as_in(position.deal)

    async def page() -> Whisper:
        review = await click.services[Teacher].look_back(table, seat, position.deal, file=position.file)
        return costliest(review.in_language(click.language), position, click.person.id)

    await _review(click, position.deal, page)


@handles
async def review_deal(click: Click[ReviewDeal]) -> None:
    """Show which of the player's own choices in a deal cost the most."""
    deal = click.action.deal

    async def page() -> Whisper:
        review = await click.services[Teacher].review(click.table, click.person.id, deal)
        return hints.review(review.in_language(click.language))

    await _review(click, deal, page)


async def _review(click: Click[Action], deal: int, make_page: Callable[[], Awaitable[Whisper]]) -> None:
    """Say that this takes a while, then replace that message by the page."""
    message = await click.reply.whisper(click.language.say(hints.LOOKING_BACK, deal=deal))
    try:
        page = await make_page()
    except Refusal as refusal:
        page = refused(refusal, click.language)
    await click.reply.edit(message, page)
