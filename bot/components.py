"""Messages as Discord's components (version 2: text and controls in one container)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from typing import Any

import discord
from discord import ui

from bot.emojis import Emojis
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
from bot.render.text import length
from bot.scenes import Scene
from engine.cards import Suit

STYLES = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.MAIN: discord.ButtonStyle.primary,
    Style.GOOD: discord.ButtonStyle.success,
    Style.RED: discord.ButtonStyle.danger,
}
#: So many choices a form shows as radio buttons; more are a list to open.
MOST_BUTTONS = 10
RED_SUITS = (Suit.DIAMONDS, Suit.HEARTS)
#: Characters of text that Discord takes in a message.
LONGEST = 4000
SUIT_SIGNS = re.compile("[♣♦♠♥](?!\ufe0e)")


@lru_cache(maxsize=4096)  # most are labels of cards
def signs(text: str) -> str:
    """Text whose suits are drawn as text everywhere, and nowhere as coloured emoji."""
    return SUIT_SIGNS.sub("\\g<0>\ufe0e", text)


def layout(
    message: Message, emojis: Emojis, *, pictured: bool = False, call: str | None = None
) -> ui.LayoutView:
    """A view that shows this message, its cards as emojis where they fit; `call` is added as its last line.

    If `pictured` it shows the pictures that come along as files, else their words.
    It is stopped, so that the library keeps neither it nor a task for it: what is clicked is read from the
    click itself (bot.controls), which outlives a restart.
    """
    view = ui.LayoutView(timeout=None)
    container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=int(message.colour))
    letters = _shown(message, pictured=pictured)
    parts = [emojis.in_text(part) if isinstance(part, str) else part for part in letters]
    texts = "".join([part for part in parts if isinstance(part, str)])
    for part in parts if length(texts + (call or "")) <= LONGEST else letters:
        container.add_item(_item(part, emojis))
    if call:
        container.add_item(ui.TextDisplay(call))
    view.add_item(container)
    view.stop()
    return view


def scenes(message: Message) -> tuple[Scene, ...]:
    """What its pictures show, in order."""
    return tuple([part.scene for part in message.parts if isinstance(part, Picture)])


def files(message: Message, drawn: Iterable[bytes]) -> list[discord.File]:
    """The files that come along, to be read once; `drawn` are those of its pictures in order."""
    offered = [(part.name, part.content) for part in message.parts if isinstance(part, Attachment)]
    pictures = [(_file_name(number), file) for number, file in enumerate(drawn, 1)]
    return [discord.File(io.BytesIO(file), filename=name) for name, file in (*offered, *pictures)]


def _file_name(number: int) -> str:
    return f"picture{number}.webp"


def _shown(message: Message, *, pictured: bool) -> list[Part | ui.Item[Any]]:
    numbers = count(1)
    shown: list[Part | ui.Item[Any]] = []
    for part in message.parts:
        if not isinstance(part, Picture):
            shown.append(part)
        elif pictured:
            shown.append(_gallery(part, _file_name(next(numbers))))
        elif part.words:
            shown.append(part.words)
    return shown


def _gallery(picture: Picture, name: str) -> ui.Item[Any]:
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=picture.description))


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


def _item(part: Part | ui.Item[Any], emojis: Emojis) -> ui.Item[Any]:
    if isinstance(part, ui.Item):
        return part
    if isinstance(part, str):
        return ui.TextDisplay(signs(part))
    if isinstance(part, Divider):
        return ui.Separator()
    if isinstance(part, Attachment):
        return ui.File(f"attachment://{part.name}")
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    if isinstance(part, Select):
        row.add_item(_select(part))
    elif not isinstance(part, Picture):
        for button in part:
            row.add_item(_button(button, emojis))
    return row


def _select(part: Select) -> ui.Item[Any]:
    options = [
        discord.SelectOption(
            label=signs(choice.label), value=choice.value, description=choice.hint, default=choice.chosen
        )
        for choice in part.choices
    ]
    return ui.Select(custom_id=part.action, placeholder=signs(part.prompt), options=options)


def _button(button: Button | Link, emojis: Emojis) -> ui.Item[Any]:
    if isinstance(button, Link):
        return ui.Button(label=button.label, url=button.url)
    label, style, card = button.label, STYLES[button.style], button.card
    face = emojis.of.get(card) if card else None
    if card and face:
        label = label.replace(card.symbol, "").strip()
    elif card and card.suit in RED_SUITS and button.style is Style.PLAIN:
        style = STYLES[Style.RED]
    return ui.Button(
        label=signs(label) or None,
        emoji=face,
        custom_id=button.action,
        style=style,
        disabled=not button.enabled,
    )
