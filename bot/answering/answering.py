"""The use of a slash command or control: finding its handler, what that gets, and how errors are reported."""

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
#: The apology where no table is concerned.
SORRY_ELSEWHERE = N_("Something went wrong here. Wait a little and try again.")
#: The most threads that a Refusal names.
MOST_NAMED = 10
#: The keys in an interaction's extras of the services and the Reply that a command is handed.
SERVICES, REPLY = "services", "reply"
#: The key in a command's extras of its Access.
ACCESS = "access"
#: The key in a text's extras of the function that says it in a language, if it isn't a marked sentence.
SAY = "say"


class Services:
    """The services that handlers need, by type: `services[Tables]`."""

    def __init__(self, *services: object) -> None:
        self._by_type = {type(service): service for service in services}

    def __getitem__(self, kind: type[T]) -> T:
        """The service of this type."""
        return cast(T, self._by_type[kind])


def person_of(interaction: Interaction) -> Person:
    """The person behind an interaction, by their name in this server."""
    return Person(interaction.user.id, interaction.user.display_name, interaction.locale.value)


@asynccontextmanager
async def reporting_errors(reply: Reply, doing: str, sorry: str) -> AsyncIterator[None]:
    """Tell the person about an error in this block: a Refusal in its own words, any other with `sorry`."""
    with reply.in_time():
        try:
            yield
        except Exception as error:
            await answer_for(reply, error, doing, sorry)


async def answer_for(reply: Reply, error: Exception, doing: str, sorry: str) -> None:
    """Tell the person privately what this error means, and log errors that aren't their own doing."""
    fault = fault_of(error)
    if fault is Fault.EXPIRED:
        # The handler has done its work, which will be shown by other means; only this answer is too late.
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
    """Turn a function into a slash command of its name without `_command`; see `Access` for the parameters.

    The function gets the services and the Reply in place of the interaction. Its errors are reported to the
    person.
    """

    def decorate(callback: Callable[..., Coroutine[Any, Any, None]]) -> Command:
        async def run(interaction: Interaction, **options: Any) -> None:
            invoked = cast(Command, interaction.command)
            access: Access = invoked.extras[ACCESS]
            services: Services = interaction.extras[SERVICES]
            # The reply refers to the interaction: popped, both can be freed without the garbage collector.
            reply: Reply = interaction.extras.pop(REPLY)
            async with reporting_errors(reply, f"/{invoked.qualified_name}", _sorry(services, reply)):
                services[Limits].check_open()
                await services[Tables].preferences.update_locale(person_of(interaction))
                with pointing_at_threads(services, reply.channel):
                    await services[AccessControl].check_command(reply, access)
                    _check_choices(invoked, options)
                    with admitted(services, reply, access):
                        await callback(services, reply, **options)

        wrapped: Any = wraps(callback)(run)
        # The library reads the options' types from here, as it couldn't look up their names itself.
        _, *parameters = (signature := inspect.signature(callback, eval_str=True)).parameters.values()
        wrapped.__signature__ = signature.replace(parameters=parameters)
        slash_command: Command = app_commands.command(name=callback.__name__.removesuffix("_command"))(
            wrapped
        )
        slash_command.extras[ACCESS] = Access(
            asker, where, cost, private=False, posts=posts, own_data=own_data
        )
        return slash_command

    return decorate


def _check_choices(invoked: Command, options: Mapping[str, Any]) -> None:
    """Refusal if an option has a value that it doesn't offer, as a modified client can send."""
    for parameter in invoked.parameters:
        value = options.get(parameter.name)
        if value is not None and not _is_offered(parameter, value):
            raise Refusal("no_such_choice", given=value)


def _is_offered(parameter: app_commands.Parameter, value: Any) -> bool:
    if parameter.choices:
        return value in [choice.value for choice in parameter.choices]
    size = len(value) if isinstance(value, str) else value
    is_small = parameter.min_value is not None and size < parameter.min_value
    return not is_small and (parameter.max_value is None or size <= parameter.max_value)


def suggesting(asker: Who, where: Where) -> Callable[[Suggest], Suggest]:
    """Declare for whom and where a function suggests values of an option; others get no suggestions.

    Suggestions that come too late are no error.
    """
    access = Access(asker, where, None, private=False, posts=False, own_data=False)

    def decorate(callback: Suggest) -> Suggest:
        @wraps(callback)
        async def run(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
            services: Services = interaction.extras[SERVICES]
            try:
                await services[AccessControl].check_command(interaction.extras.pop(REPLY), access)
                suggestions = await callback(interaction, typed)
            except Refusal:
                suggestions = []
            try:
                await interaction.response.autocomplete(suggestions)
            except (discord.HTTPException, *NETWORK) as error:
                log.info("suggestions couldn't be shown: %s", error)
                # If we returned, the library would answer a second time, and log an error of its own.
                raise asyncio.CancelledError from error
            return []

        cast(Any, run).access = access
        return run

    return decorate


def check_declared(*commands: Command | app_commands.Group) -> None:
    """TypeError unless these commands, and the functions that suggest their values, declare their Access."""
    for command in commands:
        if isinstance(command, app_commands.Group):
            check_declared(*command.commands)
            continue
        # discord.py has no public name for the function that suggests an option's values.
        suggesters = [
            parameter.autocomplete for parameter in command._params.values() if parameter.autocomplete
        ]
        if ACCESS not in command.extras or not all(hasattr(suggester, ACCESS) for suggester in suggesters):
            raise TypeError(f"/{command.qualified_name} doesn't say who may use it, and where")


@contextmanager
def admitted(services: Services, reply: Reply, access: Access) -> Iterator[None]:
    """Serve a request in the block if the limits allow it; a post in a server counts unless it is refused."""
    with services[Limits].admit(reply.user_id, access):
        if access.posts and reply.guild:
            with services[Limits].hourly(reply.user_id, Hourly.POSTS):
                yield
        else:
            yield


@contextmanager
def pointing_at_threads(services: Services, channel: int) -> Iterator[None]:
    """Let a Refusal in the block, because this channel has no table, name its threads that have one."""
    try:
        yield
    except Refusal as refusal:
        tables = (
            services[AccessControl].tables_in_threads(channel)
            if refusal.id in ("no_table", "no_game_here")
            else ()
        )
        if not tables:
            raise
        threads = tuple([table.channel for table in tables[:MOST_NAMED]])
        raise Refusal("tables_in_threads", threads=threads) from None


def group(name: str, description: str, *commands: Command) -> app_commands.Group:
    """A group of slash commands with a common first word."""
    root = app_commands.Group(name=name, description=description)
    for command in commands:
        root.add_command(command)
    return root


def choice(value: str, say: Callable[[Language], str]) -> app_commands.Choice[str]:
    """A choice of an option, shown in each person's language."""
    return app_commands.Choice(name=app_commands.locale_str(say(ENGLISH), **{SAY: say}), value=value)


class Translations(app_commands.Translator):
    """Translates commands for Discord's clients, except for the names of commands and options."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in this language; None if it stays English."""
        if context.location in NAMES:
            return None
        language = by_locale(locale.value)
        say = string.extras.get(SAY)
        text = say(language) if say else language.say(string.message)
        return text if text != string.message else None


#: The names that people type, which stay English so that guides work in every language.
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
        """Report an error that the library raised before our own handling began."""
        name = interaction.command.qualified_name if interaction.command else "unknown"
        reply = self.services[Delivery].reply(interaction)
        if isinstance(error, app_commands.TransformerError):  # a value that Discord's own clients don't send
            problem: Exception = Refusal("no_such_choice", given=error.value)
        else:
            problem = error
        await answer_for(reply, problem, f"/{name}", _sorry(self.services, reply))


def _sorry(services: Services, reply: Reply) -> str:
    return SORRY if services[Tables].in_channel(reply.place) else SORRY_ELSEWHERE


async def last_table(services: Services, reply: Reply) -> Table:
    """This channel's table or, if it has none, its last game."""
    place = reply.place
    try:
        return services[Tables].in_channel(place) or await services[Tables].games.latest(place)
    except Refusal:
        raise Refusal("no_table") from None


async def show_to_all(
    services: Services, reply: Reply, page: Callable[[Language], Awaitable[Message]]
) -> None:
    """Answer for everyone or, if this person may not write here or has posted too much, for them alone."""
    if may_write(reply) and services[Limits].allows(reply.user_id, Hourly.POSTS):
        post = await page(await services[ServerLanguages].of(reply.guild, reply.language))
        with services[Limits].hourly(reply.user_id, Hourly.POSTS):
            if await reply.publish(post) is not None:
                return
    await reply.whisper(await page(reply.language))


# Controls


@dataclass(frozen=True)
class Click(Generic[A_co]):
    """The use of a control: a button pressed, a select used or a form sent.

    Anyone can send any custom id and any choice: one that doesn't fit is treated as out of date.
    """

    services: Services
    reply: Reply
    action: A_co

    @property
    def table(self) -> int:
        """The table's id; 0 if no table is concerned."""
        return self.action.table

    @cached_property
    def interaction(self) -> Interaction:
        """The click as discord.py has it."""
        return self.reply.interaction

    @property
    def language(self) -> Language:
        """The language of the person who clicked."""
        return self.reply.language

    @property
    def person(self) -> Person:
        """The person who clicked."""
        return person_of(self.interaction)

    @property
    def received_at(self) -> float:
        """When Discord received the click, in seconds since 1970."""
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
        """The values that were chosen in a select."""
        return list(cast(Any, self.interaction.data or {}).get("values", ()))

    @property
    def value(self) -> str:
        """The value that was chosen in a select with one choice."""
        return _first(self.values)

    def picked(self, field: str) -> list[str]:
        """The values that were chosen or written in the form's field of this name."""
        for part in cast(Any, self.interaction.data or {}).get("components", ()):
            answer = part.get("component", {})
            if answer.get("custom_id") == field:
                return list(answer["values"] if "values" in answer else [answer.get("value") or ""])
        return []

    def written(self, field: str) -> str:
        """The text that was written, or the value that was chosen, in the form's field of this name."""
        return _first(self.picked(field))

    def chosen(self, field: Field[T]) -> T:
        """The meaning of the value that was chosen in this field of a form."""
        return field.meaning(self.written(field.name))

    def card(self, slot: str) -> Card:
        """The card in a slot such as `QS.0`: the card's code and the number of its copy."""
        card = self.services[Tables].get(self.table).rules.pack.faces.get(slot.partition(".")[0])
        if card is None:
            raise Refusal("stale")
        return card

    # Changing the table

    async def change(
        self, change: Callable[Concatenate[Table, int, P], Table], /, *args: P.args, **kwargs: P.kwargs
    ) -> Table:
        """Change the click's table on behalf of the person who clicked; returns the new table."""
        return await self.services[Tables].change(self.table, change, self.person.id, *args, **kwargs)

    # Answering

    async def edit(self, message: Whisper) -> None:
        """Answer by editing the private message that was clicked; not for messages that delivery keeps."""
        self.check_private()
        await self.reply.update(message)

    @property
    def is_private(self) -> bool:
        """Whether only this person sees the message that was clicked."""
        if self.in_dm:
            return True
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    def check_private(self) -> None:
        """Refusal if others see the message that was clicked: we put such controls in private ones only."""
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
    """Read a number that was chosen; Refusal if our controls can't offer it."""
    try:
        return controls.number(text)
    except ValueError:
        raise Refusal("stale") from None


def _custom_ids(parts: Sequence[Any]) -> Iterator[str]:
    """The custom ids of all controls in these parts of a message, and in their children."""
    for part in parts:
        if id := getattr(part, "custom_id", None):
            yield id
        yield from _custom_ids(getattr(part, "children", ()))


def _first(texts: Sequence[str]) -> str:
    if not texts:
        raise Refusal("stale")
    return texts[0]


# Handlers

Handler = Callable[[Any], Awaitable[None]]  # called with a Click
H = TypeVar("H", bound=Handler)
#: The handlers, by the verb in a control's custom id.
HANDLERS: dict[str, Handler] = {}
#: The one function that shows how a game at a table alone ended.
_SHOWS_END: list[Handler] = []
USES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


def handles(handler: H) -> H:
    """Register a handler by its parameter: `play_card(click: Click[PlayCard])`. TypeError if misnamed."""
    action = get_args(get_type_hints(handler)["click"])[0]
    if handler.__name__ != (name := re.sub(r"(?<!^)(?=[A-Z])", "_", action.__name__).lower()):
        raise TypeError(f"{handler.__name__} handles {action.__name__}: call it {name}")
    if action.verb in HANDLERS:
        raise TypeError(f"{action.verb} is handled twice")
    HANDLERS[action.verb] = handler
    return handler


def shows_end(handler: H) -> H:
    """Register the function that shows how a game at a table alone ended, in place of the game."""
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
        return  # belongs to `python -m bot check`, another process with our token, which answers it
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
            with suppress(Refusal):  # the click is handled anyway
                await services[Tables].notice_presence(action.table, reply.user_id)
        with admitted(services, reply, action.access):
            await handle(click)


async def handle(click: Click[Action]) -> None:
    """Call the control's handler; if a table alone is over, its message shows how it ended instead."""
    try:
        await HANDLERS[click.action.verb](click)
    except Refusal as refusal:
        shows_game = {verb for verb, kind in controls.VERBS.items() if kind.shows_game}
        if refusal.id != "table_gone" or not click.is_beside(shows_game):
            raise
        if not (await click.services[Tables].find(click.table)).is_alone:
            raise
        await _SHOWS_END[0](click)
