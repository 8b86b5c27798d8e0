"""Messages as Discord's components (version 2: text and controls in one container)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import discord
from discord import ui

from bot.messages import (
    Attachment,
    Button,
    Divider,
    Form,
    Line,
    Link,
    Message,
    Part,
    Pick,
    Picture,
    Select,
    Style,
)

STYLES = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.MAIN: discord.ButtonStyle.primary,
    Style.GOOD: discord.ButtonStyle.success,
    Style.RED: discord.ButtonStyle.danger,
}
#: So many choices a form shows as radio buttons; more are a list to open.
MOST_BUTTONS = 10
SUIT_SIGNS = re.compile("[♣♦♠♥](?!\ufe0e)")


@lru_cache(maxsize=4096)  # most are labels of cards
def signs(text: str) -> str:
    """Text whose suits are drawn as text everywhere, and nowhere as coloured emoji."""
    return SUIT_SIGNS.sub("\\g<0>\ufe0e", text)


def layout(message: Message, *, call: str | None = None) -> ui.LayoutView:
    """A view that shows this message; `call` is added as its last line.

    It is stopped, so that the library keeps neither it nor a task for it: what is clicked is read from the
    click itself (bot.controls), which outlives a restart.
    """
    view = ui.LayoutView(timeout=None)
    container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=int(message.colour))
    for part in message.parts:
        if not (isinstance(part, Picture) and not part.words):
            container.add_item(_item(part))
    if call:
        container.add_item(ui.TextDisplay(call))
    view.add_item(container)
    view.stop()
    return view


def files(message: Message) -> Iterator[discord.File]:
    """The files that come along, to be read once."""
    for part in message.parts:
        if isinstance(part, Attachment):
            yield discord.File(io.BytesIO(part.content), filename=part.name)


def modal(form: Form) -> ui.Modal:
    """A form, which the library keeps as little as a view."""
    shown = ui.Modal(title=form.title, custom_id=form.action)
    for field in form.fields:
        shown.add_item(_field(field))
    shown.stop()
    return shown


def _field(field: Line | Pick) -> ui.Label[Any]:
    if isinstance(field, Line):
        line: ui.TextInput[Any] = ui.TextInput(
            custom_id=field.name, default=field.text, max_length=field.longest
        )
        return ui.Label(text=field.label, component=line)
    group: ui.CheckboxGroup[Any] | ui.RadioGroup[Any] | ui.Select[Any]
    if len(field.choices) > MOST_BUTTONS:
        group = ui.Select(custom_id=field.name)
    elif field.many:
        group = ui.CheckboxGroup(custom_id=field.name, required=False, min_values=0)
    else:
        group = ui.RadioGroup(custom_id=field.name)
    for choice in field.choices:
        group.add_option(
            label=signs(choice.label), value=choice.value, description=choice.hint, default=choice.chosen
        )
    return ui.Label(text=signs(field.label), description=field.hint, component=group)


def _item(part: Part) -> ui.Item[Any]:
    if isinstance(part, str):
        return ui.TextDisplay(signs(part))
    if isinstance(part, Divider):
        return ui.Separator()
    if isinstance(part, Picture):
        return ui.TextDisplay(signs(part.words))
    if isinstance(part, Attachment):
        return ui.File(f"attachment://{part.name}")
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    if isinstance(part, Select):
        row.add_item(_select(part))
    else:
        for button in part:
            row.add_item(_button(button))
    return row


def _select(part: Select) -> ui.Item[Any]:
    options = [
        discord.SelectOption(
            label=signs(choice.label), value=choice.value, description=choice.hint, default=choice.chosen
        )
        for choice in part.choices
    ]
    return ui.Select(
        custom_id=part.action,
        placeholder=signs(part.prompt),
        min_values=part.least,
        max_values=part.most,
        options=options,
    )


def _button(button: Button | Link) -> ui.Item[Any]:
    if isinstance(button, Link):
        return ui.Button(label=button.label, url=button.url)
    return ui.Button(
        label=signs(button.label),
        custom_id=button.action,
        style=STYLES[button.style],
        disabled=not button.enabled,
    )
