"""Standings: leaderboards, tournaments, one player's statistics, and two players head to head."""

from functools import partial

import discord
from discord import app_commands

from bot.answering.answering import Click, Services, command, handles, show_to_all
from bot.answering.languages import ServerLanguages
from bot.delivery import Reply
from bot.discord.contexts import check_server
from bot.standings import careers, leaderboards
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

#: More pages than a board could have; a larger page number in a custom id is forged.
MOST_PAGES = 10**9


# Leaderboards


@command(Who.ANYONE, Where.SERVER, cost=PAGES)
async def leaderboard_command(services: Services, reply: Reply) -> None:
    """Who is ahead in this server."""
    await show_to_all(services, reply, partial(page, services, reply))


@handles
async def show_board(click: Click[ShowBoard]) -> None:
    """Show another page, order, period or game in the leaderboard that was clicked."""
    click.require_sibling_control()
    action = click.action
    kind, players = action.kind, action.players
    if kind is None:  # the list of games, where the chosen value names the kind
        kind, _, players = click.value.partition(":")
    language = await _language(click)
    if kind == leaderboards.TOURNAMENTS:
        await click.reply.update(await _honours(click.services, click.reply, language, "season"))
        return
    board = Board(kind_of(kind), players == "people", action.order, action.period)
    await click.reply.update(await page(click.services, click.reply, language, board, action.page))


@handles
async def show_honours(click: Click[ShowHonours]) -> None:
    """Show another page or period of the tournaments' table."""
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
    """A page (from 0) of this server's leaderboard, with the asker's own line.

    Without a board, or if nobody has played its game here, show the game played most between people.
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
    entries = await board_page(database, guild, board, now, reply.user_id, first=first, count=LINES_A_PAGE)
    if number and not entries.lines:  # the board has become shorter since its pages were numbered
        return await page(services, reply, language, board)
    games = leaderboards.games(played, board, language, has_tournaments=has_tournaments)
    return leaderboards.leaderboard(board, entries, number, interaction.user.display_name, games, language)


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
        check_server(reply.interaction)  # what people played on their own is only for their eyes
    of = Person(user.id, user.display_name)
    if against and against.id != of.id:
        rival = Person(against.id, against.display_name)
        await reply.whisper(await rivals(services, reply, of, rival))
    else:
        await reply.whisper(await stats(services, reply, of))


@handles
async def show_career(click: Click[ShowCareer]) -> None:
    """Show another kind of game in the statistics of this person, or of these two people."""
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
    """The person with this id; anyone but the asker has the name from their last game of this kind."""
    if id == click.person.id:
        return click.person
    return Person(id, await newest_name(click.services[Database], click.guild, id, kind) or "")


async def stats(services: Services, reply: Reply, of: Person, kind: GameKind | None = None) -> Whisper:
    """A person's statistics in this server: for this kind of game, or else for the one they played most."""
    database, guild, language = services[Database], reply.guild, reply.language
    kinds = await kinds_played(database, guild, of.id)
    daily = await daily_career(database, guild, of.id, services[DailyDeals].today)
    if not kinds and daily:
        return careers.daily_alone(of.name, daily, language)
    if not kinds:
        return careers.nothing_yet(of.name, language, is_own=of.id == reply.user_id)
    subject = Subject(of.id, of.name, kinds, kind if kind in kinds else kinds[0])
    ranked = await tally_of(database, guild, of.id, subject.kind, ranked=True)
    alone = await tally_of(database, guild, of.id, subject.kind, ranked=False)
    curve: list[tuple[int, int]] = []
    if ranked and ranked.games >= SHOWN_FROM:
        curve = await rating_curve(database, guild, of.id, subject.kind, ranked.games)
    achieved = await achievements_of(database, guild, of.id)
    return careers.stats(subject, ranked, alone, curve, achieved, daily, language)


@handles
async def show_missing(click: Click[ShowMissing]) -> None:
    """List the achievements that this person doesn't have yet."""
    if click.action.person != click.person.id:
        check_server(click.interaction)
    achieved = await achievements_of(click.services[Database], click.guild, click.action.person)
    await click.reply.whisper(missing_achievements(achieved, click.language))


async def rivals(
    services: Services, reply: Reply, of: Person, rival: Person, kind: GameKind | None = None
) -> Whisper:
    """How two people did against each other: in this kind of game, or else in the one they played most."""
    by_kind = await rivalries(services[Database], reply.guild, of.id, rival.id)
    if not by_kind:
        return careers.never_met(of.name, rival.name, reply.language)
    subject = Subject(of.id, of.name, list(by_kind), kind if kind in by_kind else next(iter(by_kind)))
    return careers.rivals(subject, rival.id, rival.name, by_kind[subject.kind], reply.language)
