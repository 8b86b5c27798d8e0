"""The lobby: a table is opened, its seats fill up, and the cards are dealt."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

from discord import app_commands

from bot.answering.access import AccessControl
from bot.answering.answering import Click, Services, choice, command, handles, person_of
from bot.answering.languages import ServerLanguages
from bot.answering.limits import Limits
from bot.answering.opening import OpenHere, OpenThread, TableRequest
from bot.delivery import Delivery, Reply
from bot.discord.contexts import check_server
from bot.discord.permissions import may_post
from bot.table.alone_handlers import new_alone, play_again
from bot.table.board import LOBBY
from bot.table.controls import Start
from bot.table.hand_handlers import carrying_click
from bot.table.lobby import Join, Leave, lobby, seated, welcome
from bot.table.rules import AddComputer, ChangeStrength, RemoveComputer, saved_hints
from bot.table.rules_handlers import answer_with_options, find_rules, suggestions
from bot.table.starts import BeHere, noted
from bot.table.starts_handlers import ask_which_clock, suggest_times, typed_time
from bot.table.thread_handlers import offering_thread, open_in_thread, wants_thread
from bot.table.thread_lines import seated_in_thread
from bot.table.threads import Threads
from bot.table.votes import Propose
from bot.vocabulary.controls import TABLES, Action, Where, Who
from bot.vocabulary.messages import ByDm, Whisper
from bot.words.buttons import Rematch
from bot.words.forms import as_it_is
from bot.words.typed_times import TimeOfDay
from engine.errors import Refusal
from engine.languages import LANGUAGES, Language, by_code
from engine.players import Strength
from engine.rules.presets import PRESETS, Preset
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import Hints, Pace, State, Table, Tables, changes, planning
from engine.tables.plan import check_time


def _game(preset: Preset, language: Language) -> str:
    """`Hearts (3, 4, 5 or 6 players)`."""
    game, players = language.say(preset.title), language.either(preset.players)
    return language.say("{game} ({players} players)", game=game, players=players)


def title_of(one: Strength | Pace, language: Language) -> str:
    """The name of a strength or pace."""
    return language.say(one.title)


GAMES = [choice(preset.name, partial(_game, preset)) for preset in PRESETS.values()]
STRENGTHS = [choice(strength.value, partial(title_of, strength)) for strength in Strength]
PACES = [choice(pace.value, partial(title_of, pace)) for pace in Pace]
#: Each language is listed by its own name, in any reader's language.
OWN_NAMES = [choice(one.code, as_it_is(one.name)) for one in LANGUAGES.values()]


@command(Who.ANYONE, Where.ANYWHERE, posts=True, cost=TABLES)
@app_commands.choices(game=GAMES, computers=STRENGTHS, pace=PACES, language=OWN_NAMES)
@app_commands.describe(
    game="Which game of the family",
    players="Number of players; the table's Options button changes it too",
    computers="Strength of the computers in the empty seats",
    jack_of_diamonds="The jack of diamonds takes ten points off",
    ends_at="The total that ends the game",
    house="House rules saved in this server",
    pace="How long a turn may take before a computer plays it",
    language="The language of the table's posts; what only you see is in yours",
    thread="Whether it opens in a thread of its own",
    starts="When it starts by itself, such as: in 45 minutes, 20:00, tomorrow 8:30pm",
)
async def new_command(
    services: Services,
    reply: Reply,
    game: str | None = None,
    players: app_commands.Range[int, 3, 10] | None = None,
    computers: str = Strength.MEDIUM.value,
    jack_of_diamonds: bool | None = None,
    ends_at: app_commands.Range[int, 1, 100_000] | None = None,
    house: str | None = None,
    pace: str | None = None,
    language: str | None = None,
    thread: bool | None = None,
    starts: app_commands.Range[str, 1, 60] | None = None,
) -> None:
    """Open a table in this channel; in DMs and servers without me, one for you and computers."""
    if thread or house is not None or starts is not None:
        check_server(reply.interaction)
    in_server = bool(reply.guild)
    usual_pace = Pace.RELAXED if in_server else Pace.NONE
    chosen_pace = Pace(pace) if pace else usual_pace
    strength = Strength(computers)
    request = TableRequest(game, players, strength, jack_of_diamonds, ends_at, chosen_pace, house, language)
    try:
        await _open(services, reply, request, thread, starts)
    except Refusal as refusal:
        raise request.instead(refusal) from None


@handles
async def open_here(click: Click[OpenHere]) -> None:
    """Open the table that was offered in place of a refused one."""
    request = TableRequest.of(click.action)
    if not click.guild and request.pace is Pace.RELAXED:
        request = replace(request, pace=Pace.NONE)  # nobody else waits there
    await _open(click.services, click.reply, request)


async def _open(
    services: Services,
    reply: Reply,
    request: TableRequest,
    thread: bool | None = None,
    starts: str | None = None,
) -> None:
    if request.house is not None and request.game is not None:
        raise Refusal("house_names_game")
    if not reply.guild:
        await new_alone(services, reply, request)
        return
    start = await typed_time(services, reply, starts) if starts else None
    if isinstance(start, float):
        request = replace(request, starts_at=start)
    in_thread, asks_clock = await wants_thread(services, reply, thread), isinstance(start, TimeOfDay)
    # The offer's button has no room for a start whose time zone isn't known yet.
    table = await open_table(services, reply, request, in_thread=in_thread, offers_thread=not asks_clock)
    if starts and isinstance(start, TimeOfDay):
        await reply.whisper(ask_which_clock(services, reply, table.id, starts, start))


new_command.autocomplete("house")(suggestions)
new_command.autocomplete("starts")(suggest_times)


@handles
async def open_thread(click: Click[OpenThread]) -> None:
    """Open the requested table in a thread, as the channel already has one."""
    request = TableRequest.of(click.action)
    if request.starts_at:
        # Checked before there is a thread, as we couldn't delete that.
        check_time(request.starts_at, click.services[Tables].now)
    await open_table(click.services, click.reply, request, in_thread=True)


async def open_table(
    services: Services, reply: Reply, request: TableRequest, *, in_thread: bool, offers_thread: bool = True
) -> Table:
    """Open a table for several people here or in a thread, and answer with its lobby or where to find it.

    Refusal if the channel already has a table, with the offer of a thread if one can be opened.
    """
    channel, person = reply.interaction.channel, person_of(reply.interaction)
    if not in_thread and not may_post(channel, reply.interaction.app_permissions):
        raise Refusal("bot_may_not_post")
    rules, hints = await wanted_rules(services, reply, request)
    chosen = by_code(request.language) if request.language else None
    language = chosen or await services[ServerLanguages].of(reply.guild, reply.language)

    def begin(channel: int) -> Awaitable[Table]:
        pace, strength, starts = request.pace, request.computers, request.starts_at
        return services[Tables].open(
            reply.guild, channel, person, rules, pace, strength, hints, language, starts
        )

    with opening_lobby(services, reply, request.starts_at):
        if in_thread:
            table = await open_in_thread(services, reply, rules, language, begin)
            await answer_with_thread(services, reply, table)
            return table
        services[AccessControl].check_is_free(reply.channel)
        await services[Threads].returns_to(channel)
        try:
            table = await begin(reply.channel)
        except Refusal as refusal:
            refusal = _to_host(refusal, services, reply)
            raise (offering_thread(refusal, reply, request) if offers_thread else refusal) from None
        await show_lobby(services, reply, table)
        return table


def _to_host(refusal: Refusal, services: Services, reply: Reply) -> Refusal:
    """The refusal of a second table here; the first one's host is offered to close it while it's a lobby."""
    table = services[Tables].in_channel(reply.channel)
    if refusal.id != "table_in_channel" or not table or table.game or table.host != reply.user_id:
        return refusal
    return Refusal("own_table_in_channel", close=Propose(table.id))


def opening_lobby(
    services: Services, reply: Reply, starts: float | None = None
) -> AbstractContextManager[None]:
    """Open a table with a lobby in this context; Refusal if the person or the server has too many."""
    tables = services[Tables]
    return services[Limits].opening(reply.user_id, reply.guild, tables.live, tables.now, starts)


async def wanted_rules(services: Services, reply: Reply, request: TableRequest) -> tuple[Ruleset, Hints]:
    """The requested rules, and who may ask for hints, which house rules may say."""
    if request.house is None:
        return request.rules, Hints.ALONE
    saved = await find_rules(services[Database], reply.guild, request.house)
    return request.applied_to(saved.rules), saved_hints(saved)


async def answer_with_thread(services: Services, reply: Reply, table: Table) -> None:
    """Greet the host of a new table in a thread, in the channel around it."""
    by_dm, message = await greet_in_thread(services, reply, table)
    if reply.clicked:  # the offer of a thread
        await reply.update(message)
    elif reply.is_owed or by_dm is not ByDm.YES:
        await reply.whisper(message)


async def show_lobby(services: Services, reply: Reply, table: Table) -> None:
    """Answer with the table's lobby, keep it up to date from then on, and greet the host."""
    post = lobby(table.public)
    await services[Delivery].posts.at(table.id, table.channel).publish(LOBBY, post, reply)
    await greet(services, reply, table)


@handles
async def rematch(click: Click[Rematch]) -> None:
    """Seat the players of the last game in a new lobby."""
    if (await click.services[Tables].find(click.table)).is_alone:
        await play_again(click)
        return
    with opening_lobby(click.services, click.reply):
        await click.services[Threads].returns_to(click.interaction.channel)
        table = await click.services[Tables].rematch(click.table, click.person)
        await show_lobby(click.services, click.reply, table)


# Seats


@handles
async def join(click: Click[Join]) -> None:
    """Take a seat, and learn whether DMs arrive."""
    table = await _change(click, lambda: click.services[Tables].join(click.table, click.person))
    await greet(click.services, click.reply, table)


async def greet(services: Services, reply: Reply, table: Table) -> None:
    """Send a first DM to a player who has just sat down, or tell them here where their hand will be.

    If the lobby answered their click, the DM is enough; a command may still be owed an answer.
    """
    by_dm = await send_welcome(services, table, reply)
    if reply.is_owed or by_dm is not ByDm.YES:
        await reply.whisper(_of_lobby(table, seated(by_dm, reply.language)))


def _of_lobby(table: Table, text: str) -> Whisper:
    """A private answer that goes out of date with the table's lobby."""
    return Whisper((text,), lobby=table.id if table.state is State.LOBBY else 0)


async def greet_in_thread(services: Services, reply: Reply, table: Table) -> tuple[ByDm, Whisper]:
    """Send a first DM to a player who has just sat down from outside the thread with the table.

    Returns whether DMs arrive, and a message that can tell the player here.
    """
    by_dm = await send_welcome(services, table, reply)
    return by_dm, Whisper((seated_in_thread(by_dm, table.channel, reply.language),))


async def send_welcome(services: Services, table: Table, reply: Reply) -> ByDm:
    """Send the person who clicked a first DM about this table, and return whether DMs arrive.

    A DM that has to wait is only sent if they are still at the table then.
    """
    person, first = reply.user_id, welcome(table.public.in_language(reply.language), reply.user_id)

    def is_at_table() -> bool:
        live = [one for one in services[Tables].live if one.id == table.id]
        return any(one.seat_of(person) is not None or one.claim_of(person) for one in live)

    return await services[Delivery].dms.of(table.id, person).greet(first, is_at_table)


@handles
async def leave(click: Click[Leave]) -> None:
    """Give up the player's seat."""
    await _change(click, lambda: click.change(changes.get_up))


# The computers, which the host seats from the page of the rules


@handles
async def add_computer(click: Click[AddComputer]) -> None:
    """Seat a computer of the chosen strength."""
    await answer_with_options(click, lambda click: click.change(changes.add_computer, click.action.strength))


@handles
async def remove_computer(click: Click[RemoveComputer]) -> None:
    """Remove the last computer."""
    await answer_with_options(click, lambda click: click.change(changes.remove_computer))


@handles
async def change_strength(click: Click[ChangeStrength]) -> None:
    """Give all computers the chosen strength."""
    await answer_with_options(
        click, lambda click: click.change(changes.change_strength, click.action.strength)
    )


# The start


@handles
async def start(click: Click[Start]) -> None:
    """Start the game."""
    await _change(click, lambda: click.change(changes.start))


@handles
async def be_here(click: Click[BeHere]) -> None:
    """Note that the player is there for the planned start."""
    table = await _change(click, lambda: click.change(planning.be_here))
    assert table.plan is not None
    await click.reply.whisper(_of_lobby(table, noted(table.plan, click.language)))


async def _change(click: Click[Action], change: Callable[[], Awaitable[Table]]) -> Table:
    """Change the table, and answer the click with the updated lobby."""
    table, posts = click.services[Tables].get(click.table), click.services[Delivery].posts
    if table.is_alone:
        async with carrying_click(click, 0):
            return await change()
        return table  # the message was out of date, and updating it was answer enough
    async with posts.at(table.id, table.channel).carrying_click(LOBBY, click.reply):
        try:
            return await change()
        except Refusal:
            # The clicked message may be out of date.
            now = click.services[Tables].get(click.table).public
            posts.at(now.id, now.channel).show(LOBBY, lobby(now), create=False)
            raise
