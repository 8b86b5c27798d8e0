"""One use of a slash command or a control: what its handler is given, and how errors are reported."""

from __future__ import annotations

import asyncio
import inspect
import logging
import re
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Container,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast, get_args, get_type_hints

import discord
from discord import app_commands

from bot.answering.access import AccessControl, may_write
from bot.answering.languages import ServerLanguages
from bot.answering.limits import Hourly, Limits
from bot.answering.refusals import refused
from bot.delivery import Delivery, Reply
from bot.discord.faults import NETWORK, Fault, fault_of
from bot.vocabulary import controls
from bot.vocabulary.controls import Access, Action, Cost, Where, Who
from bot.vocabulary.messages import CHECK, Message, Whisper
from bot.words.forms import Field
from engine.cards import Card
from engine.errors import Refusal
from engine.languages import ENGLISH, N_, Language, by_locale
from engine.tables import Person, Table, Tables

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]
User = discord.User | discord.Member
A_co = TypeVar("A_co", bound=Action, covariant=True)
P = ParamSpec("P")
T = TypeVar("T")
Command = app_commands.Command[Any, ..., Any]
Suggest = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]

SORRY = N_("Something went wrong here. Nothing is lost: try again, or press **My hand** at the table.")
#: The same where no table is concerned.
SORRY_ELSEWHERE = N_("Something went wrong here. Wait a little and try again.")
#: How many threads are named at once.
MOST_NAMED = 10
#: Where a use of a command keeps the services and the Reply that it is handed.
SERVICES, REPLY = "services", "reply"
#: Where a command keeps who may use it, and where.
ACCESS = "access"
#: Where a text of a command keeps the function that says it in a language, if it isn't a marked sentence.
SAY = "say"


class Services:
    """What handlers need, found by its type: `services[Tables]`."""

    def __init__(self, *services: object) -> None:
        self._found = {type(one): one for one in services}

    def __getitem__(self, kind: type[T]) -> T:
        """The one of this type."""
        return cast(T, self._found[kind])


def person_of(interaction: Interaction) -> Person:
    """Who is asking, by the name that this server knows."""
    return Person(interaction.user.id, interaction.user.display_name, interaction.locale.value)


@asynccontextmanager
async def reporting_errors(reply: Reply, doing: str, sorry: str) -> AsyncIterator[None]:
    """Report what this block raises: a Refusal in its own words, any other error with `sorry`."""
    with reply.in_time():
        try:
            yield
        except Exception as error:
            await answer_for(reply, error, doing, sorry)


async def answer_for(reply: Reply, error: Exception, doing: str, sorry: str) -> None:
    """Tell the person privately what this error means, and log what is not their own doing."""
    fault = fault_of(error)
    if fault is Fault.EXPIRED:
        # What was done is done and will be shown by other means; only this answer came too late.
        log.warning("%s was done, but could not be answered: %s", doing, error)
        return
    if fault is Fault.LATER:
        log.warning("%s: Discord may not have shown it: %s", doing, error)
    elif fault is not Fault.OTHER:
        # What was clicked, or its channel, was deleted at that moment.
        log.warning("%s: Discord refused to show it: %s", doing, error)
    elif not isinstance(error, Refusal):
        log.error("%s failed", doing, exc_info=error)
    language = reply.language
    try:
        await reply.whisper(refused(error, language) if isinstance(error, Refusal) else language.say(sorry))
    except (discord.HTTPException, *NETWORK) as failed:
        log.warning("%s could not be answered: %s", doing, failed)


# Commands


def command(
    asker: Who, where: Where, *, cost: Cost | None = None, posts: bool = False, own_data: bool = False
) -> Callable[[Callable[..., Coroutine[Any, Any, None]]], Command]:
    """Turn a function into a slash command, named like it without `_command`; `Access` says who may use it.

    The function is given the services and the Reply in place of the interaction. The user is told of its
    errors.
    """

    def made(callback: Callable[..., Coroutine[Any, Any, None]]) -> Command:
        async def answered(interaction: Interaction, **options: Any) -> None:
            used = cast(Command, interaction.command)
            access: Access = used.extras[ACCESS]
            services: Services = interaction.extras[SERVICES]
            # The reply refers to the interaction: popped, they go from memory together.
            reply: Reply = interaction.extras.pop(REPLY)
            async with reporting_errors(reply, f"/{used.qualified_name}", _sorry(services, reply)):
                services[Limits].check_open()
                await services[Tables].preferences.update_locale(person_of(interaction))
                with pointing_at_threads(services, reply.channel):
                    await services[AccessControl].check_command(reply, access)
                    _check_choices(used, options)
                    with admitted(services, reply, access):
                        await callback(services, reply, **options)

        wrapped: Any = wraps(callback)(answered)
        # The library reads the options' types from here, where it could not look up their names.
        _, *parameters = (signature := inspect.signature(callback, eval_str=True)).parameters.values()
        wrapped.__signature__ = signature.replace(parameters=parameters)
        found: Command = app_commands.command(name=callback.__name__.removesuffix("_command"))(wrapped)
        found.extras[ACCESS] = Access(asker, where, cost, posts=posts, own_data=own_data)
        return found

    return made


def _check_choices(used: Command, options: Mapping[str, Any]) -> None:
    """Refusal if an option has a value that it doesn't offer, as a client of one's own making can send."""
    for parameter in used.parameters:
        given = options.get(parameter.name)
        if given is not None and not _is_offered(parameter, given):
            raise Refusal("no_such_choice", given=given)


def _is_offered(parameter: app_commands.Parameter, given: Any) -> bool:
    if parameter.choices:
        return given in [one.value for one in parameter.choices]
    size = len(given) if isinstance(given, str) else given
    is_small = parameter.min_value is not None and size < parameter.min_value
    return not is_small and (parameter.max_value is None or size <= parameter.max_value)


def suggesting(asker: Who, where: Where) -> Callable[[Suggest], Suggest]:
    """Declare for whom and where a function suggests values of an option; others are suggested nothing.

    Suggestions that come too late are no error.
    """
    access = Access(asker, where)

    def made(callback: Suggest) -> Suggest:
        @wraps(callback)
        async def answered(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
            services: Services = interaction.extras[SERVICES]
            try:
                await services[AccessControl].check_command(interaction.extras.pop(REPLY), access)
                found = await callback(interaction, typed)
            except Refusal:
                found = []
            try:
                await interaction.response.autocomplete(found)
            except (discord.HTTPException, *NETWORK) as error:
                log.info("suggestions couldn't be shown: %s", error)
                # The library would answer a second time, and log an error of its own.
                raise asyncio.CancelledError from error
            return []

        cast(Any, answered).access = access
        return answered

    return made


def check_declared(*commands: Command | app_commands.Group) -> None:
    """TypeError unless these commands, and what suggests values for them, say who may use them and where."""
    for one in commands:
        if isinstance(one, app_commands.Group):
            check_declared(*one.commands)
            continue
        # discord.py has no public name for what suggests an option's values.
        suggest = [parameter.autocomplete for parameter in one._params.values() if parameter.autocomplete]
        if ACCESS not in one.extras or not all(hasattr(found, ACCESS) for found in suggest):
            raise TypeError(f"/{one.qualified_name} doesn't say who may use it, and where")


@contextmanager
def admitted(services: Services, reply: Reply, access: Access) -> Iterator[None]:
    """Within, serve a request within the limits; what it posts in a server counts, unless it is refused."""
    with services[Limits].admit(reply.user_id, access):
        if access.posts and reply.guild:
            with services[Limits].hourly(reply.user_id, Hourly.POSTS):
                yield
        else:
            yield


@contextmanager
def pointing_at_threads(services: Services, channel: int) -> Iterator[None]:
    """Where this channel has no table, a Refusal names the threads of it that have one."""
    try:
        yield
    except Refusal as refusal:
        found = (
            services[AccessControl].tables_in_threads(channel)
            if refusal.id in ("no_table", "no_game_here")
            else ()
        )
        if not found:
            raise
        threads = tuple([table.channel for table in found[:MOST_NAMED]])
        raise Refusal("tables_in_threads", threads=threads) from None


def group(name: str, description: str, *commands: Command) -> app_commands.Group:
    """These slash commands under a common first word."""
    made = app_commands.Group(name=name, description=description)
    for one in commands:
        made.add_command(one)
    return made


def choice(value: str, say: Callable[[Language], str]) -> app_commands.Choice[str]:
    """A choice that an option offers, said in the language of each person who sees it."""
    return app_commands.Choice(name=app_commands.locale_str(say(ENGLISH), **{SAY: say}), value=value)


class Translations(app_commands.Translator):
    """Commands in the languages that Discord's clients show: all but the names of commands and options."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in this language; None where the English one is shown."""
        if context.location in NAMES:
            return None
        language = by_locale(locale.value)
        say = string.extras.get(SAY)
        told = say(language) if say else language.say(string.message)
        return told if told != string.message else None


#: What people type, and what guides tell them to type: it stays English.
NAMES = (
    app_commands.TranslationContextLocation.command_name,
    app_commands.TranslationContextLocation.group_name,
    app_commands.TranslationContextLocation.parameter_name,
)


class Tree(app_commands.CommandTree[Any]):
    """The command tree; errors that the library raises are reported like our own."""

    services: Services

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Allow every command, and give it the services and its Reply."""
        interaction.extras[SERVICES] = self.services
        interaction.extras[REPLY] = self.services[Delivery].reply(interaction)
        return True

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer for a command that did not get as far as ours."""
        name = interaction.command.qualified_name if interaction.command else "unknown"
        reply = self.services[Delivery].reply(interaction)
        if isinstance(error, app_commands.TransformerError):  # a value that no client of Discord's sends
            problem: Exception = Refusal("no_such_choice", given=error.value)
        else:
            problem = error
        await answer_for(reply, problem, f"/{name}", _sorry(self.services, reply))


def _sorry(services: Services, reply: Reply) -> str:
    return SORRY if services[Tables].in_channel(reply.place) else SORRY_ELSEWHERE


async def last_table(services: Services, reply: Reply) -> Table:
    """This channel's table or, where there is none, its last game."""
    place = reply.place
    try:
        return services[Tables].in_channel(place) or await services[Tables].games.latest(place)
    except Refusal:
        raise Refusal("no_table") from None


async def show_to_all(
    services: Services, reply: Reply, page: Callable[[Language], Awaitable[Message]]
) -> None:
    """Answer for everyone or, where this person may not write or has had much posted, for them alone."""
    if may_write(reply) and services[Limits].has_left(reply.user_id, Hourly.POSTS):
        post = await page(await services[ServerLanguages].of(reply.guild, reply.language))
        with services[Limits].hourly(reply.user_id, Hourly.POSTS):
            if await reply.publish(post) is not None:
                return
    await reply.whisper(await page(reply.language))


# Controls


@dataclass(frozen=True)
class Click(Generic[A_co]):
    """A button pressed, a select used or a form sent.

    Anyone can send any custom id and any choice: one that doesn't fit is treated as out of date.
    """

    services: Services
    reply: Reply
    action: A_co

    @property
    def table(self) -> int:
        """Its id; 0 where no table is concerned."""
        return self.action.table

    @cached_property
    def interaction(self) -> Interaction:
        """As Discord tells it."""
        return self.reply.interaction

    @property
    def language(self) -> Language:
        """The language of the person who clicked."""
        return self.reply.language

    @property
    def person(self) -> Person:
        """Who clicked."""
        return person_of(self.interaction)

    @property
    def received_at(self) -> float:
        """When Discord received it, in seconds since 1970."""
        return discord.utils.snowflake_time(self.interaction.id).timestamp()

    @property
    def in_dm(self) -> bool:
        """Whether the click came from a DM with the bot."""
        return self.reply.in_dm

    @property
    def guild(self) -> int:
        """The server; 0 where the bot isn't in one."""
        return self.reply.guild

    # What was chosen

    @property
    def values(self) -> list[str]:
        """What was chosen in a select."""
        return list(cast(Any, self.interaction.data or {}).get("values", ()))

    @property
    def value(self) -> str:
        """The one that was chosen."""
        return _first(self.values)

    def picked(self, field: str) -> list[str]:
        """What was chosen in this field of a form."""
        for part in cast(Any, self.interaction.data or {}).get("components", ()):
            answer = part.get("component", {})
            if answer.get("custom_id") == field:
                return list(answer["values"] if "values" in answer else [answer.get("value") or ""])
        return []

    def written(self, field: str) -> str:
        """What was written, or the one that was chosen, in this field of a form."""
        return _first(self.picked(field))

    def chosen(self, field: Field[T]) -> T:
        """What was chosen in this field of a form, in its own terms."""
        return field.meaning(self.written(field.name))

    def card(self, slot: str) -> Card:
        """The card of a slot such as `QS.0`, which is its code and the number of its copy."""
        card = self.services[Tables].get(self.table).rules.pack.faces.get(slot.partition(".")[0])
        if card is None:
            raise Refusal("stale")
        return card

    # What it does

    async def change(
        self, change: Callable[Concatenate[Table, int, P], Table], /, *args: P.args, **kwargs: P.kwargs
    ) -> Table:
        """Change the table of the click as the person who clicked; returns the new table."""
        return await self.services[Tables].change(self.table, change, self.person.id, *args, **kwargs)

    # How it is answered

    async def edit(self, message: Whisper) -> None:
        """Answer by changing the message that was clicked, where it is no part of a table."""
        self.check_private()
        await self.reply.update(message)

    @property
    def is_private(self) -> bool:
        """Whether the message that was clicked is for this person alone."""
        if self.in_dm:
            return True
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    def check_private(self) -> None:
        """Refusal if the message that was clicked is not for this person alone: ours has no such control."""
        if not self.is_private:
            raise Refusal("stale")

    def require_sibling_control(self) -> None:
        """Refusal unless the message that was clicked has a control with the same verb."""
        if not self.is_beside({self.action.verb}):
            raise Refusal("stale")

    def is_beside(self, verbs: Container[str]) -> bool:
        """Whether the message that was clicked has a control with one of these verbs."""
        message = self.interaction.message
        ids = [id.split(":") for id in _custom_ids(message.components if message else ())]
        return any(id[0] == controls.PREFIX and id[1] in verbs for id in ids if len(id) > 1)


def number(text: str) -> int:
    """A number that was chosen; Refusal if none that ours could offer."""
    try:
        return controls.number(text)
    except ValueError:
        raise Refusal("stale") from None


def _custom_ids(parts: Sequence[Any]) -> Iterator[str]:
    """Of all controls among these parts of a message, and in what they hold."""
    for part in parts:
        if id := getattr(part, "custom_id", None):
            yield id
        yield from _custom_ids(getattr(part, "children", ()))


def _first(texts: Sequence[str]) -> str:
    if not texts:
        raise Refusal("stale")
    return texts[0]


# What each control does

Handler = Callable[[Any], Awaitable[None]]  # is handed a Click
H = TypeVar("H", bound=Handler)
#: By the verb in a control's custom id.
HANDLERS: dict[str, Handler] = {}
#: Shows how a game at a table alone ended, once it is over.
_SHOWS_END: list[Handler] = []
USES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


def handles(handler: H) -> H:
    """Let `play_card(click: Click[PlayCard])` do what that action is for; TypeError for another name."""
    action = get_args(get_type_hints(handler)["click"])[0]
    if handler.__name__ != (name := re.sub(r"(?<!^)(?=[A-Z])", "_", action.__name__).lower()):
        raise TypeError(f"{handler.__name__} handles {action.__name__}: call it {name}")
    if action.verb in HANDLERS:
        raise TypeError(f"{action.verb} is handled twice")
    HANDLERS[action.verb] = handler
    return handler


def shows_end(handler: H) -> H:
    """Let this function show how a game at a table alone ended, in place of its course."""
    _SHOWS_END.append(handler)
    return handler


def check_handled() -> None:
    """TypeError unless every control has a handler."""
    if missing := controls.VERBS.keys() - HANDLERS.keys():
        raise TypeError(f"nothing handles {', '.join(sorted(missing))}")


async def dispatch(services: Services, interaction: Interaction) -> None:
    """Handle the use of a control. It is read from its custom id alone, so it still works after a restart."""
    if interaction.type not in USES:
        return
    custom_id = str(cast(Any, interaction.data or {}).get("custom_id", ""))
    if custom_id.startswith(CHECK):
        return  # another process asks this with our token, and answers it
    action, reply = controls.decode(custom_id), services[Delivery].reply(interaction)
    doing = f"control {action.verb} of table {action.table}" if action else "an unknown control"
    async with reporting_errors(reply, doing, SORRY if action and action.table else SORRY_ELSEWHERE):
        services[Limits].check_open()
        if action is None:
            raise Refusal("stale")
        await services[Tables].preferences.update_locale(person_of(interaction))
        click = Click(services, reply, action)
        await services[AccessControl].check_control(reply, action, is_private=click.is_private)
        if action.table and not action.says_presence:
            with suppress(Refusal):  # it is no reason not to do what was clicked
                await services[Tables].notice_presence(action.table, reply.user_id)
        with admitted(services, reply, action.access):
            await handle(click)


async def handle(click: Click[Action]) -> None:
    """Do what the control does; where a table alone is over, its message then shows how it ended."""
    try:
        await HANDLERS[click.action.verb](click)
    except Refusal as refusal:
        shows_game = {verb for verb, kind in controls.VERBS.items() if kind.shows_game}
        if refusal.id != "table_gone" or not click.is_beside(shows_game):
            raise
        if not (await click.services[Tables].find(click.table)).is_alone:
            raise
        await _SHOWS_END[0](click)
