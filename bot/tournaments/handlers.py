"""Tournaments: opening one, signing up, and looking at the scores."""

import json
from functools import partial

from discord import app_commands

from bot.answering.answering import Click, Services, choice, command, handles, person_of
from bot.answering.languages import ServerLanguages
from bot.answering.opening import TableRequest
from bot.delivery import Delivery, Reply
from bot.discord.permissions import may_manage_events, may_open_threads, may_post, takes_threads
from bot.table.lobby_handlers import GAMES, STRENGTHS, title_of, wanted_rules
from bot.table.rules_handlers import suggestions
from bot.table.starts import moment
from bot.table.starts_handlers import ask_clock, chosen_start, suggest_times, typed_time
from bot.tournaments import scores
from bot.tournaments import sign_up as render
from bot.tournaments.posts import SIGN_UP, TournamentPosts
from bot.tournaments.scores import ShowMyDeals, ShowMyTable, ShowScores, TakeRecord
from bot.tournaments.sign_up import (
    BePresent,
    CancelTournament,
    ChooseTournamentStart,
    EndTournament,
    ShowTerms,
    SignOff,
    SignUp,
    StartTournament,
)
from bot.vocabulary.controls import THREADS, Cost, TournamentAction, Where, Who
from bot.vocabulary.messages import Attachment, ByDm, Whisper
from bot.words.text import channel_link, message_link
from bot.words.typed_times import TimeOfDay
from engine.errors import Refusal
from engine.players import Strength
from engine.storage.database import Database
from engine.storage.servers import server_settings
from engine.tables import Pace
from engine.tournaments import (
    DEALS,
    MINUTES,
    PACES,
    ROUNDS,
    Standing,
    Terms,
    Tournament,
    Tournaments,
    TournamentState,
    check_is_live,
    standings,
)

TOURNAMENT_PACES = [choice(pace.value, partial(title_of, pace)) for pace in PACES]


@command(Who.ANYONE, Where.SERVER, posts=True, cost=Cost(THREADS.queue, 8))
@app_commands.choices(game=GAMES, computers=STRENGTHS, pace=TOURNAMENT_PACES)
@app_commands.describe(
    game="Which game of the family",
    players="Number of players at a table",
    rounds="Number of rounds, each with other people (3 if left empty)",
    deals="Number of deals in a round (4 if left empty)",
    pace="How long a turn may take before a computer plays it",
    starts="When it starts by itself, such as: in 45 minutes, 20:00, tomorrow 8:30pm",
    minutes="Minutes after which computers finish a round",
    house="House rules saved in this server",
    computers="Strength of the computers in the empty seats",
)
async def tournament_command(
    services: Services,
    reply: Reply,
    game: str | None = None,
    players: app_commands.Range[int, 3, 10] | None = None,
    rounds: app_commands.Range[int, ROUNDS[0], ROUNDS[1]] = 3,
    deals: app_commands.Range[int, DEALS[0], DEALS[1]] = 4,
    pace: str = Pace.LIVE.value,
    starts: app_commands.Range[str, 1, 60] | None = None,
    minutes: app_commands.Range[int, MINUTES[0], MINUTES[1]] | None = None,
    house: str | None = None,
    computers: str = Strength.MEDIUM.value,
) -> None:
    """Open a tournament in this channel: several rounds, scored against par."""
    await _check_may_open(services, reply)
    if house is not None and game is not None:
        raise Refusal("house_names_game")
    request = TableRequest(game, players, Strength(computers), house=house)
    rules, _ = await wanted_rules(services, reply, request)
    language = await services[ServerLanguages].of(reply.guild, reply.language)
    terms = Terms(rules, rounds, deals, Pace(pace), request.computers, minutes, language)
    start = await typed_time(services, reply, starts) if starts else None
    at = start if isinstance(start, float) else None
    tournament = await services[Tournaments].open(
        reply.guild, reply.channel, person_of(reply.interaction), terms, at
    )
    await services[TournamentPosts].publish(tournament, reply)
    if starts and isinstance(start, TimeOfDay):
        choose = partial(ChooseTournamentStart, 0, tournament.id)
        await reply.whisper(ask_clock(services, reply, choose, starts, start))


tournament_command.autocomplete("house")(suggestions)
tournament_command.autocomplete("starts")(suggest_times)


async def _check_may_open(services: Services, reply: Reply) -> None:
    """Refusal unless this person may open a tournament in this channel now."""
    interaction = reply.interaction
    settings = await server_settings(services[Database], reply.guild)
    if not (settings.open_tournaments or may_manage_events(interaction)):
        raise Refusal("tournament_managers_only")
    if other := services[Tournaments].in_guild(reply.guild):
        raise Refusal("tournament_here", address=_where(services, other))
    if not takes_threads(interaction.channel):
        raise Refusal("tournament_no_threads")
    if not may_post(interaction.channel, interaction.app_permissions):
        raise Refusal("bot_may_not_post")
    if not may_open_threads(interaction.permissions):
        raise Refusal("you_may_not_open_threads")
    if not may_open_threads(interaction.app_permissions):
        raise Refusal("may_not_open_threads")


def _where(services: Services, tournament: Tournament) -> str:
    """A link to the tournament's first post, or else to its channel."""
    address = services[Delivery].tournament_posts.sent.address(tournament.id, SIGN_UP)
    if address is None:
        return channel_link(tournament.guild, tournament.channel)
    return message_link(tournament.guild, *address)


# Signing up


@handles
async def sign_up(click: Click[SignUp]) -> None:
    """Sign up or come back, and find out whether DMs get through."""
    posts = click.services[TournamentPosts]
    tournament = await _tournament(click)
    async with posts.carrying_click(tournament, click.reply):
        tournament = await click.services[Tournaments].sign_up(tournament.id, click.person)
    by_dm = await posts.greet(tournament, click.reply)
    if tournament.state is not TournamentState.SIGNING_UP or by_dm is not ByDm.YES:
        await click.reply.whisper(render.signed_up(tournament, click.person.id, by_dm, click.language))


@handles
async def sign_off(click: Click[SignOff]) -> None:
    """Take the player off the list or, once it is on, let them sit out."""
    posts = click.services[TournamentPosts]
    tournament = await _tournament(click)
    async with posts.carrying_click(tournament, click.reply):
        tournament = await click.services[Tournaments].withdraw(tournament.id, click.person.id)
    if tournament.state is not TournamentState.SIGNING_UP:
        await click.reply.whisper(render.signed_off(tournament, click.language))


@handles
async def be_present(click: Click[BePresent]) -> None:
    """Note that the player is there for the planned start."""
    posts = click.services[TournamentPosts]
    tournament = await _tournament(click)
    async with posts.carrying_click(tournament, click.reply):
        tournament = await click.services[Tournaments].be_here(tournament.id, click.person.id)
    await click.reply.whisper(render.noted(tournament, click.language))


@handles
async def show_terms(click: Click[ShowTerms]) -> None:
    """Show how the tournament is played and scored."""
    await click.reply.whisper(render.terms_page(await _tournament(click), click.language))


@handles
async def show_my_table(click: Click[ShowMyTable]) -> None:
    """Say where the player's table is."""
    tournament = await _tournament(click)
    check_is_live(tournament)
    own = tournament.by_person.get(click.person.id)
    if own is None:
        raise Refusal("not_signed_up")
    await click.reply.whisper(render.my_table(tournament, own, click.language))


# What the host decides


@handles
async def start_tournament(click: Click[StartTournament]) -> None:
    """Seat the first round."""
    posts = click.services[TournamentPosts]
    tournament = await _tournament(click)
    async with posts.carrying_click(tournament, click.reply):
        await click.services[Tournaments].start(tournament.id, click.person.id, may_manage=_may_manage(click))


@handles
async def choose_tournament_start(click: Click[ChooseTournamentStart]) -> None:
    """Plan the start, now that the host's choice of what their clock shows has told their time zone."""
    tournament, at = await _tournament(click), await chosen_start(click)
    service = click.services[Tournaments]
    await service.plan_start(tournament.id, click.person.id, at, may_manage=_may_manage(click))
    sentence = click.language.say("The tournament starts {time}.", time=moment(at))
    await click.edit(Whisper((sentence,)))


@handles
async def cancel_tournament(click: Click[CancelTournament]) -> None:
    """Ask for confirmation before the tournament ends."""
    await click.reply.whisper(render.confirm_end(await _tournament(click), click.language))


@handles
async def end_tournament(click: Click[EndTournament]) -> None:
    """End the tournament; what has been played so far is its result."""
    tournament = await _tournament(click)
    service = click.services[Tournaments]
    await service.cancel(tournament.id, click.person.id, may_manage=_may_manage(click))
    await click.edit(Whisper((click.language.say("Done."),)))


def _may_manage(click: Click[TournamentAction]) -> bool:
    return may_manage_events(click.interaction)


# Scores


@handles
async def show_scores(click: Click[ShowScores]) -> None:
    """Show a page of everyone's scores, in a new private message or in place of the page that was clicked."""
    tournament = await _tournament(click)
    page = scores.all_scores(tournament, standings(tournament), click.action.page, click.language)
    await (click.edit(page) if click.is_private else click.reply.whisper(page))


@handles
async def show_my_deals(click: Click[ShowMyDeals]) -> None:
    """Compare the player's own deals with par."""
    tournament = await _tournament(click)
    own = _standing(tournament, click.person.id)
    await click.reply.whisper(scores.my_deals(tournament, own, click.language))


def _standing(tournament: Tournament, person: int) -> Standing:
    for one in standings(tournament):
        if one.entrant.person == person:
            return one
    raise Refusal("not_signed_up")


@handles
async def take_record(click: Click[TakeRecord]) -> None:
    """Send everything that was played, as a JSON file."""
    tournament = await _tournament(click)
    record = await click.services[Tournaments].record(tournament.id)
    text = json.dumps(record, ensure_ascii=False) + "\n"
    name = f"hearts-tournament-{tournament.id}.json"
    await click.reply.whisper(Whisper((Attachment(name, text.encode()),)))


async def _tournament(click: Click[TournamentAction]) -> Tournament:
    """The tournament that the control names."""
    return await click.services[Tournaments].find(click.action.tournament)
