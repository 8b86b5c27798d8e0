"""Probes that need a person: the bot's operator is asked for three clicks, and whether to send a DM."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

import discord
from discord.utils import snowflake_time

from bot.check import boards
from bot.check.results import Note, Outcome, Probe, Probes, Unexpected, add_to
from bot.check.trial import Sent, Trial, title
from bot.delivery import Reply
from bot.delivery.components import layout
from bot.discord.faults import NETWORK
from bot.vocabulary.messages import CHECK, Button, Form, Line, Post, Whisper
from bot.words.text import mentions, visible
from engine.cards import Card
from engine.languages import ENGLISH

#: Seconds in which Discord wants an answer to a click.
IN_TIME = 3.0
#: Errors outside of the probes, which would report the same ones.
TOLD_ELSEWHERE = (discord.HTTPException, *NETWORK, Unexpected)
#: Discord's flag for an ephemeral message.
PRIVATE = 1 << 6
SECTION = "Your clicks"


@dataclass
class Click:
    """One use of a control of the prompt."""

    prompt: Prompt
    reply: Reply

    @property
    def trial(self) -> Trial:
        """The trial it belongs to."""
        return self.prompt.trial

    @property
    def interaction(self) -> discord.Interaction[Any]:
        """The click as Discord describes it."""
        return self.reply.interaction

    @property
    def age(self) -> float:
        """Seconds since the click, by Discord's clock."""
        return age(self.interaction.id) - self.prompt.clock_skew


def age(id: int) -> float:
    """Seconds since Discord gave this id, by this machine's clock."""
    return (datetime.now(UTC) - snowflake_time(id)).total_seconds()


CLICKS: Probes[Click] = []


@add_to(CLICKS, "card", "Card", f"the click arrives, and is answered within {IN_TIME:.0f} s")
async def card(click: Click) -> str:
    """Answer with an update that doesn't name the picture's file; the next probe looks for that file."""
    arrived = click.age
    view = layout(boards.post("The picture is left out for a moment."), click.trial.emojis)
    await click.interaction.response.edit_message(view=view)
    return f"it arrived after {arrived * 1000:.0f} ms and was answered after {click.age * 1000:.0f} ms"


@add_to(CLICKS, "update", "Update without its file", "takes the file away (6277): the bot never sends one")
async def update(click: Click) -> str:
    """Edit the message to show the file: Discord refuses that if it is gone."""
    click.trial.require("attach_files")
    view = layout(click.prompt.message(), click.trial.emojis, pictured=True)
    try:
        await click.interaction.edit_original_response(view=view)
    except discord.HTTPException as error:
        if error.status != 400:
            raise
        return "as expected"
    raise Note("It stayed: kinder than reported.")


@add_to(CLICKS, "form", "Form", "it opens")
async def form(click: Click) -> str:
    """A form with one line."""
    line = Line("word", "Any word", "Hearts", 20)
    await click.reply.ask(Form("Checking the bot", (line,), f"{CHECK}{click.trial.run}:sent"))
    return "as expected"


@add_to(CLICKS, "sent", "Form submitted", "your word arrives, and the picture stays under the answer")
async def sent(click: Click) -> str:
    """Answer as the bot does: acknowledge, then edit without the file."""
    word, before = _written(click.interaction), list(click.prompt.sent.pictures)
    with click.trial.report.recorder.collecting() as made:
        await click.reply.update(click.prompt.message(f"Your word has {len(word)} letters."))
    if not word:
        raise Unexpected("It arrived empty.")
    if list(Sent(click.prompt.sent.address, made[-1].body).pictures) != before:
        raise Unexpected("The picture didn't stay.")
    return f"{len(word)} letters, and the picture stayed"


def _written(interaction: discord.Interaction[Any]) -> str:
    fields = cast(Any, interaction.data or {}).get("components", ())
    return "".join(field.get("component", {}).get("value") or "" for field in fields)


@add_to(CLICKS, "private", "Private answer", "only you see it")
async def private(click: Click) -> str:
    """An ephemeral message below the prompt."""
    answering = click.reply.whisper("Only you see this. In a minute it will say something else.")
    with click.trial.report.recorder.collecting() as made:
        await click.trial.make(answering, lambda id: f"private answer {id}", click.reply.delete)
    message = (made[-1].body or {}).get("resource", {}).get("message", {})
    if not message.get("flags", 0) & PRIVATE:
        raise Unexpected("Everyone sees it.")
    return "as expected"


@add_to(CLICKS, "later", "Its edit, later", "the click's token still works")
async def later(click: Click) -> str:
    """Edit the private answer without another click."""
    await asyncio.sleep(click.prompt.later)
    await click.reply.update(Whisper(("This is what it says later.",)))
    return f"edited {click.age:.0f} s after the click"


@add_to(CLICKS, "dm", "DM", "it arrives with its picture, and can be edited")
async def dm(click: Click) -> str:
    """Send it to the operator, who has just asked for it."""
    trial, shown = click.trial, boards.fan(13)
    await click.reply.update(None)
    first, second = (Whisper((f"{text} It will be deleted.", shown)) for text in ("A DM.", "Edited."))
    await trial.prepare(first)
    sending = trial.sender.dm(click.reply.user_id, first, secrets.token_hex(12))
    address = await trial.make(sending, lambda address: f"DM: {title(address)}", trial.sender.delete)
    edited = await trial.edit(address, second)
    if not edited.pictures:
        raise Unexpected("It arrived without its picture.")
    return "as expected"


PROBES: dict[str, Probe[Click]] = {probe.key: probe for probe in CLICKS}
#: The probes for each control, by the end of its custom id.
TRIES = {"card": ("card", "update")} | {key: (key,) for key in ("form", "sent", "private", "dm")}
#: The step that each control completes; a form is complete once it is submitted.
DONE = {"card": "card", "sent": "form", "private": "private", "dm": "dm", "nodm": "dm"}


@dataclass
class Prompt:
    """The message that asks for clicks. It waits for them and runs their probes."""

    trial: Trial
    sent: Sent
    clock_skew: float  # seconds by which this machine's clock is ahead of Discord's
    later: float  # seconds until the private answer is edited
    done: set[str] = field(default_factory=set)
    reasons: dict[str, str] = field(default_factory=dict)  # why a probe isn't tried, by its key
    edits: list[asyncio.Task[Outcome]] = field(default_factory=list)

    @classmethod
    async def post(cls, trial: Trial, later: float) -> Prompt:
        """Post the message."""
        with trial.report.recorder.collecting() as made:
            sent = await trial.post(_message(trial))
        return cls(trial, sent, age(sent.id) - made[-1].seconds / 2, later)

    def message(self, more: str = "") -> Post:
        """The message as it should look now, with another line."""
        return _message(self.trial, self.done, more)

    async def wait(self, seconds: float, tell: Callable[[str], None]) -> None:
        """Run the probes of all clicks in this time, and add a result for those that weren't clicked."""
        names = visible(" or ".join(self.trial.account.owners.values()), ENGLISH)
        tell(
            f"\nNow in Discord, {names}: press the three buttons, and say whether the bot may send you a DM."
            f"\nThe check waits {seconds:.0f} s for that. Ctrl-C stops it and cleans up."
        )
        try:
            deadline = asyncio.get_running_loop().time() + seconds
            while self.done != set(DONE.values()) and (click := await self._next(deadline)):
                await self._answer(click)
            if self.edits:
                tell(f"\nThank you. The private answer will be edited {self.later:.0f} s after your click.")
                await asyncio.wait(self.edits)
        finally:
            for edit in self.edits:
                edit.cancel()
        self._skip_rest(seconds)

    def _skip_rest(self, seconds: float) -> None:
        """Say why probes weren't tried: all together if no click arrived at all."""
        report = self.trial.report
        rest = [probe for probe in CLICKS if probe.key not in report.keys]
        none = f"No click arrived within {seconds:.0f} s."
        if not self.done and len(rest) == len(CLICKS):
            hint = "If you did click, is another program running with this token?"
            report.skip(SECTION, rest, f"{none} {hint}")
            return
        for probe in rest:
            report.skip(SECTION, [probe], self.reasons.get(probe.key, none))

    async def _next(self, deadline: float) -> discord.Interaction[Any] | None:
        """The next click; None at the deadline."""
        with suppress(TimeoutError):
            async with asyncio.timeout_at(deadline):
                return await self.trial.account.client.clicks.get()
        return None

    async def _answer(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a click if it was on the prompt."""
        trial, begins = self.trial, f"{CHECK}{self.trial.run}:"
        custom_id = str(cast(Any, interaction.data or {}).get("custom_id", ""))
        if not custom_id.startswith(begins):
            return
        click, control = Click(self, trial.reply(interaction)), custom_id.removeprefix(begins)
        if interaction.user.id not in trial.account.owners:
            with suppress(*TOLD_ELSEWHERE):
                await click.reply.whisper("Only the bot's owner can answer its check.")
            return
        await self._run(control, click)
        if control in DONE:
            self.done.add(DONE[control])
            with suppress(*TOLD_ELSEWHERE):
                self.sent = await trial.edit(self.sent.address, self.message())

    async def _run(self, control: str, click: Click) -> None:
        """Run this control's probes, or just answer the click if they have run before."""
        report = self.trial.report
        keys = [key for key in TRIES.get(control, ()) if key not in report.keys]
        if control == "nodm":
            self.reasons["dm"] = "You chose none."
        if not keys:
            with suppress(*TOLD_ELSEWHERE):
                await (form(click) if control == "form" else click.reply.update(None))
        for key in keys:
            works = await report.run(SECTION, PROBES[key], click) is not Outcome.FAILED
            self._follow(key, click, works=works)
            if not works:
                return

    def _follow(self, key: str, click: Click, *, works: bool) -> None:
        """Start the probe that depends on this result, or note why it can't run."""
        match key, works:
            case "card", False:
                self.reasons["update"] = "The click wasn't answered."
            case "form", True:
                self.reasons["sent"] = "The form wasn't submitted."
            case "form", False:
                self.reasons["sent"] = "The form didn't open."
                self.done.add("form")
            case "private", True:
                edit = self.trial.report.run(SECTION, PROBES["later"], click)
                self.edits.append(asyncio.create_task(edit))
            case "private", False:
                self.reasons["later"] = "There was no private answer."


def _message(trial: Trial, done: Collection[str] = (), more: str = "") -> Post:
    """The prompt, with the buttons disabled that have been used."""
    people = mentions(trial.account.owners)
    text = (
        f"### Three clicks, please\n{people}: press the card and the two buttons next to it, and say whether "
        f"I may send you a DM.\n{more}"
    )

    def button(control: str, label: str, card: Card | None = None) -> Button:
        enabled = DONE.get(control, control) not in done
        return boards.button(trial.run, control, label, enabled=enabled, card=card)

    three = (
        button("card", boards.QUEEN.symbol, boards.QUEEN),
        button("form", "Open a form"),
        button("private", "Answer me privately"),
    )
    consent = (button("dm", "Send me a test DM"), button("nodm", "No DM"))
    return boards.post(boards.fan(5 + len(done)), text.rstrip(), three, consent)
