"""Messages as Discord's components (version 2, with text and controls in one container)."""

import io
import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import count
from typing import Any

import discord
from discord import ui

from bot.delivery.emojis import Emojis
from bot.vocabulary.messages import (
    Attachment,
    Button,
    Choice,
    ChoiceField,
    Divider,
    Form,
    Link,
    Message,
    Part,
    PeopleSelect,
    Picture,
    Select,
    Style,
    TextField,
    Whisper,
)
from bot.words.text import length, lettered, shortened
from engine.cards import USUAL_FACES, Card, Faces, Suit

STYLES = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.MAIN: discord.ButtonStyle.primary,
    Style.GOOD: discord.ButtonStyle.success,
    Style.RED: discord.ButtonStyle.danger,
}
#: Choices that a form shows as radio buttons; more become a drop-down list.
MOST_BUTTONS = 10
#: People that can be chosen in one list.
MOST_CHOSEN = 25
#: Buttons that Discord puts on one line.
MOST_IN_A_LINE = 5
#: Most characters of a button, of a choice and its hint, of a list's prompt, of a form's title and labels.
LONGEST_LABEL, LONGEST_CHOICE, LONGEST_PROMPT, LONGEST_TITLE = 80, 100, 150, 45
RED_SUITS = (Suit.DIAMONDS, Suit.HEARTS)
#: Most characters of text in a message.
LONGEST_TEXT = 4000
SUIT_SIGNS = re.compile("[♣♦♠♥](?!\ufe0e)")


@lru_cache(maxsize=4096)  # most are labels of cards
def signs(text: str) -> str:
    """Mark suits so that every device draws them as text, not as coloured emoji."""
    return SUIT_SIGNS.sub("\\g<0>\ufe0e", text)


def layout(
    message: Message, emojis: Emojis, *, pictured: bool = False, call: str | None = None
) -> ui.LayoutView:
    """A view of this message, with cards as emojis if they fit; `call` is added as its last line.

    If `pictured`, it shows the pictures attached as files, otherwise their words. The view is stopped, so
    that discord.py keeps neither it nor a task for it: clicks are read from the interaction's custom id,
    which still works after a restart.
    """
    view = ui.LayoutView(timeout=None)
    parts = [part.words if isinstance(part, Picture) and not pictured else part for part in message.parts]
    faces = message.faces if isinstance(message, Whisper) else USUAL_FACES
    fitting = _fitting([*parts, call or ""], emojis, faces)
    view.add_item(ui.Container(*_items(fitting, emojis, faces), accent_colour=int(message.colour)))
    view.stop()
    return view


def _fitting(parts: list[Part], emojis: Emojis, faces: Faces) -> list[Part]:
    """Show cards in texts as emojis, or as letters if that would be too long for a message.

    If it is still too long, the longest text loses its end: better than a message that Discord refuses.
    """
    fitted = [emojis.in_text(part, faces) if isinstance(part, str) else part for part in parts]
    if _excess(fitted) <= 0:
        return fitted
    fitted = list(parts)
    while (excess := _excess(fitted)) > 0:
        texts = {number: part for number, part in enumerate(fitted) if isinstance(part, str)}
        longest, text = max(texts.items(), key=lambda item: length(item[1]))
        share = 1 - excess / length(text)
        fitted[longest] = f"{text[: max(0, int(len(text) * share) - 1)]}…"
    return fitted


def _excess(parts: list[Part]) -> int:
    return length("".join([part for part in parts if isinstance(part, str)])) - LONGEST_TEXT


def files(message: Message, drawn: Iterable[bytes]) -> list[discord.File]:
    """The files to attach, each readable once; `drawn` are those of the message's pictures, in order."""
    attachments = [(part.name, part.content) for part in message.parts if isinstance(part, Attachment)]
    pictures = zip(_picture_names(), drawn, strict=False)
    return [discord.File(io.BytesIO(file), filename=name) for name, file in (*attachments, *pictures)]


def _picture_names() -> Iterator[str]:
    """The names of a message's pictures, in order."""
    return map("picture{}.webp".format, count(1))


def modal(form: Form) -> ui.Modal:
    """A form as discord.py's modal; stopped like a view."""
    view = ui.Modal(title=shortened(form.title, LONGEST_TITLE), custom_id=str(form.action))
    for field in form.fields:
        view.add_item(_field(field))
    view.stop()
    return view


def _field(field: TextField | ChoiceField) -> ui.Label[Any]:
    if isinstance(field, TextField):
        line: ui.TextInput[Any] = ui.TextInput(
            custom_id=field.name, default=field.text or None, max_length=field.longest
        )
        return ui.Label(text=shortened(field.label, LONGEST_TITLE), description=field.hint, component=line)
    group: ui.CheckboxGroup[Any] | ui.RadioGroup[Any] | ui.Select[Any]
    if len(field.choices) > MOST_BUTTONS:
        group = ui.Select(custom_id=field.name)
    elif field.many:
        group = ui.CheckboxGroup(custom_id=field.name, required=False, min_values=0)
    else:
        group = ui.RadioGroup(custom_id=field.name)
    for choice in field.choices:
        group.add_option(**_choice(choice))
    return ui.Label(
        text=shortened(signs(field.label), LONGEST_TITLE), description=field.hint, component=group
    )


def _choice(choice: Choice) -> dict[str, Any]:
    return {
        "label": shortened(signs(choice.label), LONGEST_CHOICE),
        "value": choice.value,
        "description": choice.hint and shortened(choice.hint, LONGEST_CHOICE),
        "default": choice.chosen,
    }


def _items(parts: Iterable[Part], emojis: Emojis, faces: Faces) -> list[ui.Item[Any]]:
    items: list[ui.Item[Any]] = []
    names = _picture_names()
    for part in parts:
        match part:
            case "":
                continue
            case str():
                items.append(ui.TextDisplay(signs(lettered(part, faces))))
            case Picture():
                file = f"attachment://{next(names)}"
                description = lettered(part.description, faces)
                items.append(ui.MediaGallery(discord.MediaGalleryItem(file, description=description)))
            case Divider():
                items.append(ui.Separator())
            case Attachment():
                items.append(ui.File(f"attachment://{part.name}"))
            case Select():
                items.append(ui.ActionRow(_select(part)))
            case PeopleSelect():
                items.append(ui.ActionRow(_people(part)))
            case _:
                buttons = [_button(button, emojis, faces) for button in part]
                for line in _even_lines(len(buttons)):
                    items.append(ui.ActionRow(*buttons[line]))
    return items


def _select(part: Select) -> ui.Item[Any]:
    options = [discord.SelectOption(**_choice(choice)) for choice in part.choices]
    prompt = shortened(signs(part.prompt), LONGEST_PROMPT)
    return ui.Select(custom_id=str(part.action), placeholder=prompt, options=options)


def _people(part: PeopleSelect) -> ui.Item[Any]:
    prompt = shortened(signs(part.prompt), LONGEST_PROMPT)
    most = min(part.most, MOST_CHOSEN)
    return ui.UserSelect(custom_id=str(part.action), placeholder=prompt, max_values=most)


@cache
def _even_lines(count: int) -> list[slice]:
    """Break a row of this many buttons into as few lines as hold them, about equally long."""
    lines = -(-count // MOST_IN_A_LINE)
    length = -(-count // max(1, lines))
    return [slice(start, start + length) for start in range(0, count, length or 1)]


def _button(button: Button | Link, emojis: Emojis, faces: Faces) -> ui.Button[Any]:
    if isinstance(button, Link):
        return ui.Button(label=shortened(button.label, LONGEST_LABEL), url=button.url)
    emoji = emojis.of_card(button.card, faces) if button.card else None
    label, style = _look(button.label, button.style, button.card, emoji is not None, faces)
    return ui.Button(
        label=label, emoji=emoji, custom_id=str(button.action), style=style, disabled=not button.enabled
    )


@lru_cache(maxsize=4096)  # most are cards
def _look(
    label: str, style: Style, card: Card | None, has_emoji: bool, faces: Faces
) -> tuple[str | None, discord.ButtonStyle]:
    if card and has_emoji:
        label = label.replace(card.symbol, "").strip()
    elif card and card.suit in RED_SUITS and style is Style.PLAIN:
        style = Style.RED
    return shortened(signs(lettered(label, faces)), LONGEST_LABEL) or None, STYLES[style]
