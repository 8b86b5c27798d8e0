"""The rules of a table, the forms in which its host changes them, and the house rules that a server keeps."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

from discord import app_commands

from bot.answering.answering import (
    SERVICES,
    Click,
    Interaction,
    Services,
    command,
    handles,
    last_table,
    number,
    suggesting,
)
from bot.delivery import Delivery, Reply
from bot.discord.permissions import may_manage_server
from bot.table import house
from bot.table.controls import OpenForm, SendForm
from bot.table.hand_handlers import carrying_click
from bot.table.house import DeleteHouseRules, NameHouseRules, SaveHouseRules, ShowHouseRules
from bot.table.lobby import ShowRules
from bot.table.rules import (
    COMPUTERS,
    DEALS_FORM,
    EARLY,
    FORMS,
    LANGUAGE,
    LATE,
    MAY_ASK,
    MOONS,
    PACE,
    SWITCHES,
    TABLE_FORM,
    ChooseGame,
    ChoosePlayers,
    ShowOptions,
    form,
    options_page,
    rules_page,
)
from bot.table.starts import PLAN_FORM, confirmed
from bot.table.starts_handlers import change_start
from bot.vocabulary.controls import PAGES, Action, Where, Who
from bot.vocabulary.messages import Whisper
from bot.words.text import visible
from engine.errors import Refusal
from engine.languages import by_locale
from engine.rules.options import OPTIONS, from_text
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.rules.wording import applicable, changed
from engine.storage import house_rules
from engine.storage.database import Database
from engine.storage.house_rules import HouseRules
from engine.tables import PublicTable, Tables, changes
from engine.tables.changes import check_is_host, check_is_hosting_lobby

C = TypeVar("C", bound=Click[Action])
#: How many suggestions Discord shows.
SUGGESTIONS = 25


@command(Who.ANYONE, Where.ANYWHERE, cost=PAGES / 2)
async def rules_command(services: Services, reply: Reply) -> None:
    """Read the rules of this table."""
    table = (await last_table(services, reply)).public.in_language(reply.language)
    await reply.whisper(rules_page(table, reply.user_id))


@handles
async def show_rules(click: Click[ShowRules]) -> None:
    """Show all rules of the table."""
    await _show(click, rules_page(_table(click), click.person.id))


@handles
async def show_options(click: Click[ShowOptions]) -> None:
    """Show the page with the host's settings."""
    await _show(click, options_page(_table(click)))


def _table(click: Click[Action]) -> PublicTable:
    return click.services[Tables].get(click.table).public.in_language(click.language)


async def _show(click: Click[Action], page: Whisper) -> None:
    """Answer with a page about the table: a new message or, at a table alone, in the table's place."""
    if not click.services[Tables].get(click.table).is_alone:
        await (click.edit(page) if click.is_private else click.reply.whisper(page))
        return
    async with carrying_click(click, 0):
        click.services[Delivery].my_hand.of(click.table, click.person.id).show(page)


# Forms


@handles
async def open_form(click: Click[OpenForm]) -> None:
    """Open one of the forms; if a start is planned already, show that instead of the form for it."""
    table, name = click.services[Tables].get(click.table), _form_name(click)
    if name != TABLE_FORM:  # the pace can be changed in mid-game
        check_is_hosting_lobby(table, click.person.id)
    if name == PLAN_FORM and table.plan and not click.is_private:
        await click.reply.whisper(confirmed(_table(click)))
        return
    filled_form = form(_table(click), name, posts_language=table.language, now=click.services[Tables].now)
    if not filled_form.fields:  # the host has since chosen a game without such options
        raise Refusal("stale")
    await click.reply.ask(filled_form)


@handles
async def send_form(click: Click[SendForm]) -> None:
    """Apply a form that was sent."""
    if click.action.form == PLAN_FORM:
        await change_start(click)
        return
    special = {TABLE_FORM: _change_table, DEALS_FORM: _change_deals}
    await answer_with_options(click, special.get(_form_name(click), _change_rules))


async def answer_with_options(click: C, change: Callable[[C], Awaitable[object]]) -> None:
    """Make a change, and answer with the updated options, which say why if it was refused."""
    wrong = None
    try:
        await change(click)
    except Refusal as refusal:
        if refusal.id in ("stale", "already_started"):
            raise
        check_is_host(click.services[Tables].get(click.table), click.person.id)
        wrong = refusal
    await _show(click, options_page(_table(click), wrong))


@handles
async def choose_game(click: Click[ChooseGame]) -> None:
    """Change to this game, with the possible number of players that is nearest to the current one."""
    preset = PRESETS.get(click.value)
    if preset is None:
        raise Refusal("stale")

    def new(rules: Ruleset) -> Ruleset:
        if preset is rules.preset:
            return rules
        return Ruleset.for_preset(preset, min(preset.players, key=lambda count: abs(count - rules.players)))

    await _change_ruleset(click, new)


@handles
async def choose_players(click: Click[ChoosePlayers]) -> None:
    """Change to this number of players."""
    players = number(click.value)
    await _change_ruleset(click, lambda rules: changed(rules, {}, players))


async def _change_ruleset(click: C, new: Callable[[Ruleset], Ruleset]) -> None:
    await answer_with_options(click, lambda click: click.change(changes.change_rules, new))


def _form_name(click: Click[OpenForm | SendForm]) -> str:
    if click.action.form not in (TABLE_FORM, DEALS_FORM, PLAN_FORM, *FORMS):
        raise Refusal("stale")
    return click.action.form


async def _change_rules(click: Click[SendForm]) -> None:
    topic = _form_name(click)

    def new(old: Ruleset) -> Ruleset:
        rules = old
        for name, value in _answers(click, topic):
            # A change before it may have made an option inapplicable, or changed its default.
            if name in applicable(rules) and value != old.all_options.get(name):
                rules = changed(rules, {name: value})
        return rules

    await click.change(changes.change_rules, new)


def _answers(click: Click[SendForm], topic: str) -> Iterator[tuple[str, Any]]:
    """The form's values for the options of its topic, without those it didn't ask for."""
    for name, option in OPTIONS.items():
        if option.topic != topic:
            continue
        if option.is_switch:
            yield name, name in click.picked(SWITCHES)
        elif click.picked(name):
            yield name, from_text(name, click.written(name).strip())


async def _change_table(click: Click[SendForm]) -> None:
    pace, tables = click.chosen(PACE), click.services[Tables]
    if tables.get(click.table).game and not click.picked("length"):
        # Mid-game, the form only asks for the pace.
        await click.change(changes.change_pace, pace)
        return
    length, strength = click.written("length"), click.chosen(COMPUTERS)
    end, count = ("deals", length[6:]) if length.startswith("deals.") else ("ends_at", length)
    ends = {"deals": 0, end: number(count)}

    def new(rules: Ruleset) -> Ruleset:
        return changed(rules, ends)

    language = tables.get(click.table).language  # a private table's form doesn't ask for it
    if click.picked(LANGUAGE.name):
        language = click.chosen(LANGUAGE)
    await click.change(changes.set_up, new, pace, strength, language)


async def _change_deals(click: Click[SendForm]) -> None:
    switches = click.picked(SWITCHES)
    table = await click.change(
        changes.set_up_deals,
        click.chosen(MAY_ASK),
        finishes_early=EARLY in switches,
        points_out_moons=MOONS in switches,
        first=number(click.written("first")) if click.picked("first") else None,
    )
    if not table.is_private:
        await click.change(changes.change_latecomers, welcome=LATE in switches)


# House rules


async def find_rules(database: Database, guild: int, name: str) -> HouseRules:
    """The house rules that this server has saved under this name; Refusal if there are none."""
    saved = await house_rules.find(database, guild, name)
    if saved is None:
        raise Refusal("no_such_house_rules", name=name)
    return saved


@command(Who.ANYONE, Where.SERVER, cost=PAGES)
async def house_command(services: Services, reply: Reply) -> None:
    """See the house rules of this server, save this table's, or delete some."""
    await reply.whisper(await _house_rules_page(services, reply))


@handles
async def show_house_rules(click: Click[ShowHouseRules]) -> None:
    """Show the chosen house rules, or a page of the list, in the same message."""
    if not click.values:
        await click.edit(await _house_rules_page(click.services, click.reply, click.action.page))
        return
    name, saved = await _named_rules(click, click.value)
    author = await house_rules.author(click.services[Database], click.guild, name)
    may_delete = author == click.person.id or may_manage_server(click.interaction)
    await click.edit(house.one(name, saved, click.language, may_delete=may_delete))


@handles
async def name_house_rules(click: Click[NameHouseRules]) -> None:
    """Ask for the name under which to save the table's rules."""
    click.services[Tables].at(click.reply.place)
    await click.reply.ask(house.form(click.language))


@handles
async def save_house_rules(click: Click[SaveHouseRules]) -> None:
    """Save the rules of this channel's table, to open tables with them later."""
    services, name = click.services, click.written(house.NAME)
    table, may_manage = services[Tables].at(click.reply.place), may_manage_server(click.interaction)
    if len(name) > house.LONGEST_NAME:
        raise Refusal("stale")
    await house_rules.save(
        services[Database],
        click.guild,
        name,
        table.rules,
        click.person.id,
        may_manage=may_manage,
        hints=table.hints.value,
    )
    await click.edit(
        await _house_rules_page(services, click.reply, confirmation=house.saved(name, click.language))
    )


@handles
async def delete_house_rules(click: Click[DeleteHouseRules]) -> None:
    """Delete the player's own house rules, or any if they may manage the server."""
    database = click.services[Database]
    name, _ = await _named_rules(click, click.action.digest)
    author = await house_rules.author(database, click.guild, name)
    if author != click.person.id and not may_manage_server(click.interaction):
        raise Refusal("not_your_house_rules", name=name)
    await house_rules.delete(database, click.guild, name)
    confirmation = house.deleted(name, click.language)
    await click.edit(await _house_rules_page(click.services, click.reply, confirmation=confirmation))


async def _named_rules(click: Click[Action], digest: str) -> tuple[str, HouseRules]:
    """The house rules that a control names; Refusal if they are gone."""
    for name, saved in await house_rules.every(click.services[Database], click.guild):
        if house.digest(name) == digest:
            return name, saved
    raise Refusal("stale")


async def _house_rules_page(
    services: Services, reply: Reply, page: int = 0, confirmation: str | None = None
) -> Whisper:
    saved = await house_rules.every(services[Database], reply.guild)
    has_table = services[Tables].in_channel(reply.place) is not None
    return house.menu(saved, page, reply.language, has_table=has_table, confirmation=confirmation)


@suggesting(Who.ANYONE, Where.SERVER)
async def suggestions(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The names of this server's house rules that contain the typed text."""
    database = interaction.extras[SERVICES][Database]
    names = [name for name, _ in await house_rules.every(database, interaction.guild_id or 0)]
    fitting = [name for name in names if typed.casefold() in name.casefold()]
    language = by_locale(interaction.locale)
    return [app_commands.Choice(name=visible(name, language), value=name) for name in fitting[:SUGGESTIONS]]
