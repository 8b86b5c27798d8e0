"""Standings: leaderboards, tournaments, one player's statistics, and two players head to head."""

from __future__ import annotations

from functools import partial

import discord
from discord import app_commands

from bot.answering.answering import Click, Services, command, handles, show_to_all
from bot.answering.languages import ServerLanguages
from bot.delivery import Reply
from bot.discord.contexts import check_server
from bot.standings import careers as shown
from bot.standings import leaderboards
from bot.standings.careers import ShowCareer, Subject
from bot.standings.leaderboards import LINES_A_PAGE, ShowBoard
from bot.tournaments.honours import ShowHonours, honours
from bot.vocabulary.controls import PAGES, Action, Where, Who
from bot.vocabulary.messages import Post, Whisper
from bot.words.ratings import ShowMissing, kind_of, missing_achievements
from engine.languages import Language
from engine.ratings import SHOWN_FROM
from engine.storage.daily import daily_career
from engine.storage.database import Database
from engine.storage.results import GameKind, achievements_of
from engine.storage.standings import (
    Board,
    board_page,
    boards_of,
    kinds_played,
    newest_name,
    rating_curve,
    rivalries,
    tally_of,
)
from engine.tables import DailyDeals, Person, Tables
from engine.tournaments import Tournaments, season_of

#: More pages than a board of everybody in Discord has; a larger number is nobody's but a forger's.
MOST_PAGES = 10**9


# Leaderboards


@command(Who.ANYONE, Where.SERVER, cost=PAGES)
async def leaderboard_command(services: Services, reply: Reply) -> None:
    """Who is ahead in this server."""
    await show_to_all(services, reply, partial(page, services, reply))


@handles
async def show_board(click: Click[ShowBoard]) -> None:
    """Show another page, order, period or game in a leaderboard that is already there."""
    click.require_sibling_control()
    action = click.action
    kind, players = action.kind, action.players
    if kind is None:  # the list of games, each of whose choices names one
        kind, _, players = click.value.partition(":")
    language = await _language(click)
    if kind == leaderboards.TOURNAMENTS:
        await click.reply.update(await _honours(click.services, click.reply, language, "season"))
        return
    board = Board(kind_of(kind), players == "people", action.order, action.period)
    await click.reply.update(await page(click.services, click.reply, language, board, action.page))


@handles
async def show_honours(click: Click[ShowHonours]) -> None:
    """Show another page or span of time of the tournaments."""
    click.require_sibling_control()
    action, language = click.action, await _language(click)
    await click.reply.update(
        await _honours(click.services, click.reply, language, action.period, action.page)
    )


async def _language(click: Click[Action]) -> Language:
    """The language of the message that was clicked."""
    if click.is_private:
        return click.language
    return await click.services[ServerLanguages].of(click.guild, click.language)


async def _honours(services: Services, reply: Reply, language: Language, span: str, number: int = 0) -> Post:
    season = season_of(services[Tables].now) if span == "season" else None
    lines = await services[Tournaments].season(reply.guild, season)
    played = await boards_of(services[Database], reply.guild)
    games = leaderboards.games(played, None, language, has_tournaments=True)
    return honours(lines, span, number, reply.user_id, games, language)


async def page(
    services: Services, reply: Reply, language: Language, board: Board | None = None, number: int = 0
) -> Post:
    """A page (from 0) of this server's leaderboard with the line of who asks.

    It is of the game played most between people, unless one is named that has been played here.
    """
    interaction, database = reply.interaction, services[Database]
    guild, now = reply.guild, interaction.created_at.timestamp()
    played = await boards_of(database, guild)
    has_tournaments = bool(await services[Tournaments].season(guild, None))
    if not played:
        if has_tournaments:
            return await _honours(services, reply, language, "season")
        return leaderboards.nothing_yet(language)
    if board is None or (board.kind, board.ranked) not in [(one.kind, one.ranked) for one in played]:
        board, number = played[0], 0
    first = min(number, MOST_PAGES) * LINES_A_PAGE
    found = await board_page(database, guild, board, now, reply.user_id, first=first, count=LINES_A_PAGE)
    if number and not found.lines:  # a page that there was before the month was over, or someone left
        return await page(services, reply, language, board)
    games = leaderboards.games(played, board, language, has_tournaments=has_tournaments)
    return leaderboards.leaderboard(board, found, number, interaction.user.display_name, games, language)


# Statistics


@command(Who.ANYONE, Where.ANYWHERE, cost=PAGES)
@app_commands.describe(
    player="Whose statistics (yours if left empty)",
    against="Head to head with this player, in the games both have played",
)
async def stats_command(
    services: Services,
    reply: Reply,
    player: discord.Member | discord.User | None = None,
    against: discord.Member | discord.User | None = None,
) -> None:
    """One player's statistics in this server, or two players head to head."""
    user = player or reply.interaction.user
    if against or user.id != reply.user_id:
        check_server(reply.interaction)  # what people play on their own is for them to see
    of = Person(user.id, user.display_name)
    if against and against.id != of.id:
        rival = Person(against.id, against.display_name)
        await reply.whisper(await rivals(services, reply, of, rival))
    else:
        await reply.whisper(await stats(services, reply, of))


@handles
async def show_career(click: Click[ShowCareer]) -> None:
    """Show another game of the person, or the two people, whose statistics these are."""
    action, kind = click.action, kind_of(click.value)
    if action.rival or action.person != click.person.id:
        check_server(click.interaction)
    of = await _person(click, action.person, kind)
    if action.rival:
        rival = await _person(click, action.rival, kind)
        await click.edit(await rivals(click.services, click.reply, of, rival, kind))
    else:
        await click.edit(await stats(click.services, click.reply, of, kind))


async def _person(click: Click[ShowCareer], id: int, kind: GameKind) -> Person:
    """The person with this id; others than the asker go by their name in their last game of this kind."""
    if id == click.person.id:
        return click.person
    return Person(id, await newest_name(click.services[Database], click.guild, id, kind) or "")


async def stats(services: Services, reply: Reply, of: Person, kind: GameKind | None = None) -> Whisper:
    """This person's statistics in this server: of the named game, or else of the one they played most."""
    database, guild, language = services[Database], reply.guild, reply.language
    kinds = await kinds_played(database, guild, of.id)
    daily = await daily_career(database, guild, of.id, services[DailyDeals].today)
    if not kinds and daily:
        return shown.daily_alone(of.name, daily, language)
    if not kinds:
        return shown.nothing_yet(of.name, language, is_own=of.id == reply.user_id)
    subject = Subject(of.id, of.name, kinds, kind if kind in kinds else kinds[0])
    ranked = await tally_of(database, guild, of.id, subject.kind, ranked=True)
    alone = await tally_of(database, guild, of.id, subject.kind, ranked=False)
    curve: list[tuple[int, int]] = []
    if ranked and ranked.games >= SHOWN_FROM:
        curve = await rating_curve(database, guild, of.id, subject.kind, ranked.games)
    achieved = await achievements_of(database, guild, of.id)
    return shown.stats(subject, ranked, alone, curve, achieved, daily, language)


@handles
async def show_missing(click: Click[ShowMissing]) -> None:
    """List the achievements that the person of these statistics still has to get."""
    if click.action.person != click.person.id:
        check_server(click.interaction)
    achieved = await achievements_of(click.services[Database], click.guild, click.action.person)
    await click.reply.whisper(missing_achievements(achieved, click.language))


async def rivals(
    services: Services, reply: Reply, of: Person, rival: Person, kind: GameKind | None = None
) -> Whisper:
    """How these two did in the games that both have played, of the kind that they played most."""
    found = await rivalries(services[Database], reply.guild, of.id, rival.id)
    if not found:
        return shown.never_met(of.name, rival.name, reply.language)
    subject = Subject(of.id, of.name, list(found), kind if kind in found else next(iter(found)))
    return shown.rivals(subject, rival.id, rival.name, found[subject.kind], reply.language)
