"""One use of a slash command or a control: what its handler is given, and how errors are reported."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, wraps
from typing import Any, Generic, TypeVar, cast

import discord
from discord import app_commands

from bot import controls
from bot.announcer import Announcer
from bot.asking import Asking
from bot.controls import Action
from bot.delivery import Delivery, Reply
from bot.faults import NETWORK, Fault, fault_of
from bot.figures import Figures
from bot.languages import ServerLanguages
from bot.limits import Limits
from bot.messages import Whisper
from bot.mornings import Mornings
from bot.render.refusals import refused
from bot.threads import Threads
from bot.tournaments import TournamentNights
from engine.cards import Card
from engine.errors import Refusal
from engine.languages import ENGLISH, LANGUAGES, N_, Language, by_locale
from engine.loading import Load
from engine.storage.database import Database
from engine.tables import DailyDeals, Forgetting, Person, Replays, Tables, Teacher

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]
User = discord.User | discord.Member
Suggest = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]
E = TypeVar("E", bound=Enum)
A_co = TypeVar("A_co", bound=Action, covariant=True)

SORRY = N_("Something went wrong here. Nothing is lost: try again, or press **My hand** at the table.")
#: The same where no table is concerned.
SORRY_ELSEWHERE = N_("Something went wrong here. Wait a little and try again.")
#: How many threads are named at once.
MOST_NAMED = 10
#: Where a use of a command keeps the services and the Reply that it is handed.
SERVICES, REPLY = "services", "reply"
#: Where a text of a command keeps the function that says it in a language, if it isn't a marked sentence.
SAY = "say"


@dataclass(frozen=True, slots=True)
class Services:
    """The tables, and the ways to show and keep what becomes of them."""

    tables: Tables
    teacher: Teacher
    replays: Replays
    daily: DailyDeals
    mornings: Mornings
    languages: ServerLanguages
    asking: Asking
    forgetting: Forgetting
    announcer: Announcer
    delivery: Delivery
    database: Database
    load: Load
    limits: Limits
    threads: Threads
    nights: TournamentNights
    #: Passes a lobby on whose host has left the server; whether it did.
    pass_on: Callable[[int], Awaitable[bool]]
    #: The bot's figures for its owner; Refusal for anyone else.
    status: Callable[[User], Awaitable[Figures]]


def who(interaction: Interaction) -> Person:
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


def command(callback: Callable[..., Coroutine[Any, Any, None]]) -> app_commands.Command[Any, ..., None]:
    """A slash command by its function's name, without `_command`.

    The function is given the services and the Reply in place of the interaction. The user is told of its
    errors.
    """

    async def answered(interaction: Interaction, **options: Any) -> None:
        name = cast(Any, interaction.command).qualified_name
        services: Services = interaction.extras[SERVICES]
        # The reply refers to the interaction: popped, they go from memory together.
        reply: Reply = interaction.extras.pop(REPLY)
        async with reporting_errors(reply, f"/{name}", _sorry(name)):
            services.limits.check_open()
            await services.tables.preferences.heard(who(interaction))
            with services.limits.admit(reply.user_id, name), pointing_at_threads(services, reply.channel):
                await callback(services, reply, **options)

    wrapped: Any = wraps(callback)(answered)
    # The library reads the options' types from here, where it could not look up their names.
    _, *parameters = (signature := inspect.signature(callback, eval_str=True)).parameters.values()
    wrapped.__signature__ = signature.replace(parameters=parameters)
    return app_commands.command(name=callback.__name__.removesuffix("_command"))(wrapped)


@contextmanager
def pointing_at_threads(services: Services, channel: int) -> Iterator[None]:
    """Where this channel has no table, a Refusal names the threads of it that have one."""
    try:
        yield
    except Refusal as refusal:
        found = services.threads.tables_of(channel) if refusal.id in ("no_table", "no_game_here") else ()
        if not found:
            raise
        threads = tuple([table.channel for table in found[:MOST_NAMED]])
        raise Refusal("tables_in_threads", threads=threads) from None


def suggesting(callback: Suggest) -> Suggest:
    """Suggestions for what is being typed: none if they come too late, or can't be read or sent."""

    async def answered(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        try:
            await interaction.response.autocomplete(await callback(interaction, typed))
        except (Refusal, discord.HTTPException, *NETWORK) as error:
            log.info("suggestions couldn't be shown: %s", error)
            # The library would answer a second time, and log an error of its own.
            raise asyncio.CancelledError from error
        return []

    return answered


def group(
    name: str, description: str, *commands: app_commands.Command[Any, ..., None] | app_commands.Group
) -> app_commands.Group:
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
        interaction.extras[REPLY] = self.services.delivery.reply(interaction)
        return True

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer for a command that did not get as far as ours."""
        name = interaction.command.qualified_name if interaction.command else "unknown"
        reply = self.services.delivery.reply(interaction)
        await answer_for(reply, error, f"/{name}", _sorry(name))


def _sorry(name: str) -> str:
    return SORRY if name.startswith("hearts") else SORRY_ELSEWHERE


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
        return who(self.interaction)

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

    def card(self, slot: str) -> Card:
        """The card of a slot such as `QS.0`, which is its code and the number of its copy."""
        card = self.services.tables.get(self.table).rules.pack.faces.get(slot.partition(".")[0])
        if card is None:
            raise Refusal("stale")
        return card

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


def member(kind: type[E], value: str) -> E:
    """What was chosen; Refusal if ours could not offer it."""
    try:
        return kind(value)
    except ValueError:
        raise Refusal("stale") from None


def language_called(code: str) -> Language:
    """The language that was chosen; Refusal if ours could not offer it."""
    if code not in LANGUAGES:
        raise Refusal("stale")
    return LANGUAGES[code]


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
