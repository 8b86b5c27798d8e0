"""A message as a person sees it."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from openapi import walk
from simcord.backend.models import Message
from simcord.env import Env
from simcord.results import ResponseMessage

from bot.delivery.components import signs
from bot.pictures import FACES, emoji_name
from engine.cards import CLUB_JOKER, DECK

BUTTON, SELECT, TEXT, GALLERY = 2, 3, 10, 12
LINK_STYLE = 5
SEALED = re.compile(r"^### Deal (\d+)\n(?:(?!### ).*\n)*?-# 🔒 Seal \|\|([0-9a-f]{30})\|\|$", re.MULTILINE)
SUIT_LETTERS = str.maketrans("♣♦♠♥", "CDSH")
LISTED = re.compile(
    r"^-# (?P<number>\d+) · (?P<cards>.+) → "
    r"(?:on hold|(?P<taker>.+?)(?: (?P<points>[+−]\d+))?(?: × \d)?(?:, with .+)?)$",
    re.MULTILINE,
)
CARD = re.compile("(?:10|[2-9JQKA])[♣♦♠♥]|Joker")
#: `` 🥇 `1103` **Ann** · 2/3 ``: the place, what decides, the name and the other figures.
_LINE = r"^(?:(\S+) )?`\xa0*(\S+)` \*\*(.+?)\*\* · (.*)$"
_PLACES = {"🥇": "1.", "🥈": "2.", "🥉": "3."}

SYMBOLS = {emoji_name(card, faces): faces.printed(card.symbol) for faces in FACES for card in DECK}
SYMBOLS[emoji_name(CLUB_JOKER)] = CLUB_JOKER.symbol
EMOJI = re.compile(r"<:(?P<name>\w+):\d+>")
COMMAND = re.compile(r"<(?P<name>/[a-z ]+):\d+>")

#: How the headlines begin of what was special about a deal.
FEATS = ("## ☀️", "## 🌕", "## 🌒", "## 👑")


@dataclass(frozen=True)
class ListedTrick:
    """A finished trick as a deal's post lists it; `taker` is None if it went on hold."""

    number: int
    taker: str | None
    points: int
    cards: tuple[str, ...]  # as on a card, in order of play: `("4♥", "10♣")`
    won: str | None  # the card that took it


@dataclass(frozen=True)
class Seen:
    """A snapshot of a message, which doesn't change when the bot edits it."""

    env: Env
    message: Message
    components: list[dict[str, Any]]
    flags: int

    @classmethod
    def now(cls, env: Env, message: Message) -> "Seen":
        """A snapshot of this message."""
        return cls(env, message, message.components, message.flags)  # edits replace these objects

    @property
    def current(self) -> "Seen":
        return Seen.now(self.env, self.message)

    @cached_property
    def _every_component(self) -> list[dict[str, Any]]:
        return walk(self.components)

    def _all(self, kind: int) -> list[dict[str, Any]]:
        return [one for one in self._every_component if one.get("type") == kind]

    @property
    def id(self) -> int:
        return self.message.id

    @property
    def channel(self) -> int:
        return self.message.channel_id

    @property
    def is_private(self) -> bool:
        """Whether it is ephemeral."""
        return bool(self.flags & 1 << 6)

    @cached_property
    def text(self) -> str:
        """Its text without its controls' labels; cards as text, even if they are emojis."""
        return in_letters(self.raw)

    @property
    def heading(self) -> str:
        """Its first line, or below what was special about a deal, the heading of the points."""
        first, *others = self.text.split("\n")
        if not first.startswith(FEATS):
            return first
        return next(line for line in others if line.startswith("#"))

    @property
    def raw(self) -> str:
        """The text as it is sent to Discord."""
        return "\n".join(one["content"] for one in self._all(TEXT))

    @cached_property
    def pictures(self) -> list[dict[str, Any]]:
        """Its pictures with their descriptions; `Server.scenes` knows what they show."""
        return [item for gallery in self._all(GALLERY) for item in gallery["items"]]

    @cached_property
    def buttons(self) -> dict[str, dict[str, Any]]:
        """The buttons that aren't links, by label, enabled or not."""
        return {label_on(one): one for one in self._all(BUTTON) if one["style"] != LINK_STYLE}

    @cached_property
    def links(self) -> dict[str, str]:
        """The addresses of its link buttons, by label."""
        return {one["label"]: one["url"] for one in self._all(BUTTON) if one["style"] == LINK_STYLE}

    @property
    def enabled(self) -> list[str]:
        """The labels of the buttons that can be pressed."""
        return [label for label, button in self.buttons.items() if not button.get("disabled")]

    @property
    def playable(self) -> list[str]:
        """The labels of the cards that can be played."""
        return [label for label in self.enabled if ":play:" in self.buttons[label]["custom_id"]]

    @property
    def pressable(self) -> list[str]:
        """The custom ids of the buttons that can be pressed."""
        found = (one for one in self._all(BUTTON) if one["style"] != LINK_STYLE)
        return [one["custom_id"] for one in found if not one.get("disabled")]

    # A hand from which cards are passed

    @cached_property
    def offered(self) -> list[tuple[str, bool]]:
        """The codes of the cards that can be passed, in the hand's order, and whether each is picked."""
        found = {}
        for one in self._all(BUTTON):
            _, verb, *details = one.get("custom_id", ":").split(":")
            if verb in ("pick", "unpick"):
                found[int(details[-1])] = (code_of(label_on(one)), verb == "unpick")
        return [found[place] for place in sorted(found)]

    @property
    def asks_to_pass(self) -> bool:
        """Whether its player still has to choose cards to pass."""
        return bool(self.offered) and "You pass" not in self.text

    @property
    def decline(self) -> str | None:
        """The label of the button that exposes nothing (more), if it is enabled."""
        return next((label for label in ("Don't expose", "No more") if label in self.enabled), None)

    @property
    def to_pass(self) -> int:
        """The number of cards that the hand asks its player to choose."""
        [count] = re.findall(r"Choose (one|\d+) cards? to pass", self.text)
        return 1 if count == "one" else int(count)

    def taps(self, codes: str = "") -> list[str]:
        """The custom ids to tap until only these cards, by default the first ones, are picked."""
        wanted = codes.split() or [code for code, _ in self.offered][: self.to_pass]
        [here] = {":".join(one.split(":")[2:4]) for one in self.pressable if "pick:" in one}
        taps = []
        for place, (code, is_picked) in enumerate(self.offered):
            if is_wanted := code in wanted:
                wanted.remove(code)
            if is_wanted != is_picked:
                taps.append(f"hearts:{'pick' if is_wanted else 'unpick'}:{here}:{place}")
        assert not wanted, f"the hand does not offer {wanted}"
        return sorted(taps, key=lambda tap: ":pick:" in tap)  # first what makes room

    @cached_property
    def select(self) -> dict[str, Any] | None:
        return next(iter(self.selects.values()), None)

    @cached_property
    def selects(self) -> dict[str, dict[str, Any]]:
        """All its select menus, by prompt."""
        return {one["placeholder"].replace("\ufe0e", ""): one for one in self._all(SELECT)}

    def options(self, prompt: str) -> dict[str, bool]:
        """The options of one of its select menus, and whether each is chosen."""
        found = self.selects[prompt]["options"]
        return {one["label"].replace("\ufe0e", ""): one.get("default", False) for one in found}

    @property
    def everything(self) -> str:
        """All its text, controls included."""
        options = self.select["options"] if self.select else []
        hints = [f"{option['label']} {option.get('description', '')}" for option in options]
        return "\n".join([self.text, *self.buttons, *self.links, *hints])

    @property
    def address(self) -> str:
        """The link to its DM channel."""
        return f"https://discord.com/channels/@me/{self.channel}/{self.id}"

    @property
    def handle(self) -> ResponseMessage:
        """The message for simcord's verbs."""
        return ResponseMessage(self.env, self.message)

    @property
    def seals(self) -> dict[int, str]:
        """The beginnings of the seals that it shows, by deal."""
        return {int(deal): seal for deal, seal in SEALED.findall(self.text)}

    @property
    def tricks(self) -> list[ListedTrick]:
        """The finished tricks that it lists, in order."""
        return [_listed(one) for one in LISTED.finditer(self.text)][::-1]

    def says(self, words: str) -> bool:
        """Whether it contains these words, ignoring emphasis and line breaks."""
        return words in plain(self.text)


def _listed(found: re.Match[str]) -> ListedTrick:
    won = re.search(r"\*\*(?:[^*]+ )?~{0,2}([^*~]+)", found["cards"])
    return ListedTrick(
        number=int(found["number"]),
        taker=found["taker"] and plain(found["taker"]),
        points=int((found["points"] or "0").replace("−", "-")),
        cards=tuple(re.findall(CARD, found["cards"])),
        won=plain(won[1]) if won else None,
    )


def in_letters(text: str) -> str:
    """A text with the emojis of cards and the commands as plain text."""
    text = COMMAND.sub("`\\g<name>`", text)
    return EMOJI.sub(lambda found: signs(f"`{SYMBOLS[found['name']]}`"), text)


def label_on(button: dict[str, Any]) -> str:
    """A button's text, including the card of its emoji: `Q♠`, `Q♠ (exposed)`, `Expose Q♠`."""
    said = button.get("label") or ""
    if not (emoji := button.get("emoji")):
        return said
    card = signs(SYMBOLS[emoji["name"]])
    return f"{card} {said}".strip() if said.startswith("(") else f"{said} {card}".strip()


def code_of(label: str) -> str:
    """The code of the card with this label: `JK` of `Joker`, `TH` of `10♥`."""
    return "JK" if label == "Joker" else label.rstrip("\ufe0e").replace("10", "T").translate(SUIT_LETTERS)


def totals(text: str) -> dict[str, int]:
    """The totals by name in the final standings: `🥇 **Ann** 🟢 −26 → **−3**`."""
    found = re.findall(r"^\S+ \*\*(.+?)\*\* \S+ [+−]?\d+ → \*\*(−?\d+)\*\*$", text, re.MULTILINE)
    return {name: int(number.replace("−", "-")) for name, number in found}


def lines(seen: Seen) -> list[list[str]]:
    """A leaderboard's lines: place, what decides, name, and the other figures."""
    return [
        [_PLACES.get(place, place.strip("*")), deciding, name, *others.split(" · ")]
        for place, deciding, name, others in re.findall(_LINE, seen.text, re.MULTILINE)
    ]


def plain(text: str) -> str:
    """A text without Markdown emphasis, and with suits as bare signs."""
    return re.sub(r"\s+", " ", re.sub(r"(?<!\\)[*`]+|\ufe0e", "", text))
