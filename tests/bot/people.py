"""A person at the table, who sees what Discord shows them and does what Discord lets them do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from places import slash
from seen import SELECT, Seen, code_of
from simcord import interactions
from simcord.actors import MemberActor
from simcord.backend import serializers
from simcord.backend.models.interaction import ResponseKind
from simcord.builders import ChannelHandle
from simcord.enums import InteractionType
from simcord.results import InteractionResult

from bot.answering.limits import DOUBLE_TAP
from bot.answering.refusals import sentence
from bot.local.contexts import install
from bot.local.simulation import set_locale
from bot.table.house import digest
from engine.cards import Card, card
from engine.errors import Refusal
from engine.languages import ENGLISH
from engine.players.manners import manner_of

if TYPE_CHECKING:
    from server import Server

DMS_CLOSED = 50007
TEXT_INPUT, LABEL, CHECKBOXES = 4, 18, 22
HAND = "### Your hand"
#: The form of the preferences in which each field is.
TOPICS = {
    **dict.fromkeys(("calls", "forced", "taps"), "turns"),
    **dict.fromkeys(("colours", "letters", "suits"), "cards"),
    **dict.fromkeys(("invites", "tell"), "invitations"),
    "language": "language",
}


def is_play(custom_id: str) -> bool:
    """Whether this control plays a card."""
    return any(f":{verb}:" in custom_id for verb in ("play", "confirm"))


@dataclass(frozen=True)
class Answer:
    """What the bot answered to one command or click."""

    result: InteractionResult

    @property
    def private(self) -> list[Seen]:
        """The new messages that only this person sees."""
        return [one for one in self._new if one.is_private]

    @property
    def public(self) -> list[Seen]:
        """The new messages that everyone sees."""
        return [one for one in self._new if not one.is_private]

    @property
    def told(self) -> str:
        """The text of all private answers; the interaction must not have failed."""
        assert self.result.acknowledged, "This interaction failed"
        return "\n".join(one.text for one in self.private)

    @property
    def file(self) -> bytes:
        """The contents of the answer's only file."""
        [attached] = self.result.response.attachments
        return self.result._env.backend.cdn.get(attached.url)

    @property
    def _new(self) -> list[Seen]:
        kind = self.result._interaction.response_kind
        response = self.result.response if kind is ResponseKind.MESSAGE else None
        found = ([response] if response else []) + self.result.followups
        return [Seen.now(one._env, one._message) for one in found]


class Player:
    """A member of the server, in a channel, with or without DMs."""

    def __init__(self, server: Server, member: MemberActor) -> None:
        self.server = server
        self.member = member
        self.at: ChannelHandle = server.channel
        self.has_dms = True

    @property
    def id(self) -> int:
        return self.member.id

    def close_dms(self) -> None:
        """Refuse the bot's DMs from now on."""
        self.has_dms = False
        path = f"/channels/{self.member.user.dm_channel.id}/messages"
        self.server.env.inject_error("POST", path, status=403, code=DMS_CLOSED, times=None)

    def installs(self) -> None:
        install(self.server.env, self.id)

    def goes_to(self, channel: ChannelHandle) -> Player:
        """The same person in another channel: of any server, or a DM with the bot or with others."""
        member, user, guild, env = self.member, self.member.user, channel.guild, self.server.env
        if guild is not None:
            is_member = self.id in env.backend.get_guild(guild.id).members
            member = MemberActor(env, guild, user) if is_member else guild.add_member(user)
        there = Player(self.server, member)
        there.at, there.has_dms = channel, self.has_dms
        return there

    @property
    def in_dm(self) -> Player:
        """This player in their DM with the bot."""
        return self.goes_to(self.member.user.dm_channel)

    def speaks(self, locale: str) -> None:
        """Set the language of their Discord."""
        set_locale(self.server.env, self.id, locale)

    # What they see

    def sees(self) -> list[Seen]:
        """The channel's messages that this person sees, private ones included, oldest first."""
        return self.server.messages(self.at.id, self.id)

    def dms(self) -> list[Seen]:
        return self.server.messages(self.member.user.dm_channel.id, self.id)

    @property
    def dm(self) -> Seen:
        return self.dms()[-1]

    @property
    def hand(self) -> Seen:
        """The newest message with their hand: in their DMs, or privately in the channel."""
        place = self.member.user.dm_channel if self.has_dms else self.at
        found = self.server.newest(place.id, lambda one: HAND in one.text, self.id)
        assert found is not None, "there is no hand"
        return found

    @property
    def my_hand(self) -> Seen:
        """The newest private hand in the channel."""
        found = self.server.newest(self.at.id, lambda one: one.is_private and HAND in one.text, self.id)
        assert found is not None, "My hand shows none"
        return found

    # What they do

    async def run(self, command: str, **options: Any) -> Answer:
        """Use a slash command: `run("hearts new", ends_at=30)`."""
        if self.at.guild is None:
            return Answer(await slash(self.member.user, self.at, command, **options))
        return Answer(await self.member.slash(self.at, command, **options))

    async def click(self, label: str, on: Seen | None = None) -> Answer:
        """Press a button, by default in the channel's newest message that has it enabled."""
        message = on or next((one for one in reversed(self.sees()) if label in one.enabled), None)
        assert message is not None, f"nothing to press says {label!r}"
        custom_id = message.buttons[label]["custom_id"]
        if is_play(custom_id):
            await self.rest()
            self._note_play()
        return Answer(await self._verbs(message).click(message.handle, custom_id=custom_id))

    async def rest(self) -> None:
        """Let the time pass in which another card would be taken for a double tap."""
        env, played = self.server.env, self.server.played_at
        wait = DOUBLE_TAP + 0.001 - (env.now().timestamp() - played.get(self.id, 0.0))
        if wait > 0:
            await env.advance_time(wait)

    def _note_play(self) -> None:
        self.server.played_at[self.id] = self.server.env.now().timestamp()

    async def choose(self, value: str, on: Seen, menu: str | None = None) -> Answer:
        """Choose this in a message's only list, or in the one with this prompt."""
        id = on.selects[menu]["custom_id"] if menu else None
        return Answer(await self._verbs(on).select(on.handle, [value], custom_id=id))

    async def send(self, form: Answer, **answers: str | list[str]) -> Answer:
        """Submit the form with these answers, by field names; the other fields keep their values."""
        sent = {**filled(form), **answers}
        for field in (label["component"] for label in form.result.modal["components"]):
            if field["type"] == SELECT:
                sent[field["custom_id"]] = [str(sent[field["custom_id"]])]
        verbs = self._verbs_in(form.result._interaction.channel_id)
        return Answer(await verbs.submit_modal(form.result, sent))

    async def export_data(self) -> Answer:
        """Ask for everything stored about them as a file."""
        [page] = (await self.run("hearts privacy")).private
        return await self.click("Export", page)

    async def ask_to_delete(self) -> Seen:
        """Ask to delete everything stored about them; returns the question."""
        [page] = (await self.run("hearts privacy")).private
        await self.click("Delete", page)
        return page.current

    async def save_rules(self, name: str) -> str:
        """Save the rules of the channel's table under this name; returns what they are told."""
        [page] = (await self.run("hearts house")).private
        answer = await self.send(await self.click("Save this table's rules", page), name=name)
        return answer.told or page.current.text

    async def delete_rules(self, name: str) -> str:
        """Choose these house rules and delete them; returns what they are told."""
        [page] = (await self.run("hearts house")).private
        await self.choose(digest(name), page)
        answer = await self.click("Delete", page.current)
        return answer.told or page.current.text

    def press(self, label: str, on: Seen) -> Answer:
        """Press a button as it was seen, without waiting, even if the message has changed meanwhile.

        What the bot answered shows after `server.settle()`.
        """
        return self.forge(on.buttons[label]["custom_id"], on)

    def forge(self, custom_id: str, on: Seen, values: Sequence[str] | None = None) -> Answer:
        """Use a control that the message doesn't have, as a modified client could."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2 if values is None else 3}
        if values is not None:
            data["values"] = list(values)
        if is_play(custom_id):
            self._note_play()
        return self._emit(data, InteractionType.MESSAGE_COMPONENT, on)

    async def try_press(self, label: str, on: Seen) -> str:
        """Press a button as it was seen; returns the private answer."""
        return await self._told(self.press(label, on))

    async def try_control(self, custom_id: str, on: Seen, *values: str) -> str:
        """Use a control that the message doesn't have; returns the private answer."""
        return await self._told(self.forge(custom_id, on, values or None))

    async def _told(self, answer: Answer) -> str:
        await self.server.settle()
        return answer.told

    def forge_form(self, custom_id: str, on: Seen, **answers: str) -> Answer:
        """Submit a form with any values, as a modified client could."""
        fields = [
            {"type": LABEL, "component": {"type": TEXT_INPUT, "custom_id": name, "value": value}}
            for name, value in answers.items()
        ]
        return self._emit({"custom_id": custom_id, "components": fields}, InteractionType.MODAL_SUBMIT, on)

    def forge_command(self, command: str, *, typing: str = "", **options: Any) -> Answer:
        """Use a slash command with any values, as a modified client could.

        With `typing`, only ask what is suggested for that option.
        """
        name, *path = command.split()
        known = [one for scope in self.server.env.backend.commands.values() for one in scope.values()]
        root = next(one for one in known if one["name"] == name)
        leaf, nesting = interactions.walk_to_subcommand(root, path)
        kinds = {one["name"]: one["type"] for one in leaf.get("options") or ()}
        given = [{"name": one, "type": kinds[one], "value": value} for one, value in options.items()]
        kind = InteractionType.APPLICATION_COMMAND
        if typing:
            given.append({"name": typing, "type": kinds[typing], "value": "", "focused": True})
            kind = InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE
        data = {"id": root["id"], "name": name, "type": 1}
        return self._emit({**data, "options": interactions.nest_options(root, nesting, given)}, kind)

    def _verbs(self, message: Seen) -> Any:
        return self._verbs_in(message.channel)

    def _verbs_in(self, channel: int) -> Any:
        in_a_server = self.server.env.backend.get_channel(channel).guild_id is not None
        return self.member if in_a_server else self.member.user

    def _emit(self, data: dict[str, Any], kind: InteractionType, on: Seen | None = None) -> Answer:
        # simcord's verbs wait for each other; this sends the same (pinned to 3.2.1).
        env, channel = self.server.env, on.channel if on else self.at.id
        record, payload = interactions.base_payload(
            env.backend,
            type=kind,
            channel_id=channel,
            guild_id=env.backend.get_channel(channel).guild_id,
            user_id=self.id,
            data=data,
        )
        if on:
            record.source_message_id = on.id
            message = dict(serializers.message_payload(env.backend, on.message))
            payload["message"] = message | {"components": on.components}
        env.backend.emit("INTERACTION_CREATE", payload)
        return Answer(InteractionResult(env, record))

    # What they prefer

    async def prefer(self, **chosen: str) -> Seen:
        """Choose this in the forms of /hearts preferences; returns their page after that."""
        page = (await self.run("hearts preferences")).private[0]
        for topic in dict.fromkeys(TOPICS[field] for field in chosen):
            fields = {field: value for field, value in chosen.items() if TOPICS[field] == topic}
            answer = await self.send(await self.open_form(topic, page), **fields)
            assert not answer.told
            page = page.current
        return page

    async def preferences(self) -> dict[str, str | list[str]]:
        """What the forms of /hearts preferences say, by their fields."""
        page = (await self.run("hearts preferences")).private[0]
        forms = [await self.open_form(topic, page) for topic in dict.fromkeys(TOPICS.values())]
        return {name: value for form in forms for name, value in filled(form).items()}

    async def open_form(self, topic: str, page: Seen | None = None) -> Answer:
        """Press the button of the preferences that opens this form."""
        page = page or (await self.run("hearts preferences")).private[0]
        ids = {label: one["custom_id"] for label, one in page.buttons.items()}
        return await self.click(next(label for label, id in ids.items() if id.endswith(f":{topic}")), page)

    # What they do at the table

    async def open_hand(self) -> Seen:
        await self.click("My hand")
        return self.my_hand

    async def pass_cards(self, codes: str = "", on: Seen | None = None) -> Answer:
        """Tap these cards, by default the first ones, and pass them: `pass_cards("QS KS AS")`."""
        on = await self.pick_cards(codes, on)
        [*_, button] = [one for one in on.pressable if ":pass:" in one]  # a hint's is above the cards
        return Answer(await self._verbs(on).click(on.handle, custom_id=button))

    async def press_pass(self, codes: str) -> Answer:
        """Tap these cards, and press the button that passes them, without waiting, like `press`."""
        hand = await self.pick_cards(codes)
        [*_, label] = [label for label, one in hand.buttons.items() if ":pass:" in one["custom_id"]]
        return self.press(label, hand)

    async def pick_cards(self, codes: str = "", on: Seen | None = None) -> Seen:
        """Tap cards until only these are picked; returns the hand after that."""
        on = on or self.hand
        for tap in on.taps(codes):
            await self._verbs(on).click(on.handle, custom_id=tap)
        return on.current

    async def play(self, code: str = "") -> Answer:
        """Play this card, by default the first legal one: `play("QS")`."""
        hand = self.hand
        return await self.click(label_of(code) if code else hand.playable[0], hand)

    @property
    def playable(self) -> list[str]:
        return self.hand.playable

    async def act(self) -> bool:
        """Do what their hand asks for: pass the first cards, play the first legal one, subtract a moon.

        False if it asks for nothing.
        """
        hand = self.hand
        if hand.asks_to_pass:
            await self.pass_cards(on=hand)
        elif hand.decline:
            await self.click(hand.decline, hand)
        elif others_pay := next(
            (one for one in hand.enabled if one.endswith((" for the others", " for everyone else"))), None
        ):
            await self.click(others_pay, hand)
        elif hand.playable:
            await self.click(hand.playable[0], hand)
        else:
            return False
        return True


async def play_on(players: Sequence[Player], until: Callable[[], bool]) -> None:
    """Have each do what their hand asks for, until this is true."""
    while not until():
        acted = [not until() and await player.act() for player in players]
        assert any(acted), "the game waits, and nobody's hand asks for anything"


def filled(form: Answer) -> dict[str, str | list[str]]:
    """The initial values of a form's fields, by name."""
    assert form.result.modal is not None, "there is no form"
    found: dict[str, str | list[str]] = {}
    for field in (label["component"] for label in form.result.modal["components"]):
        if field["type"] == TEXT_INPUT:
            found[field["custom_id"]] = field.get("value", "")
        else:
            chosen = [option["value"] for option in field["options"] if option.get("default")]
            found[field["custom_id"]] = chosen if field["type"] == CHECKBOXES else "".join(chosen)
    return found


def refusal(id: str, **values: Any) -> str:
    """The sentence for this refusal."""
    return sentence(Refusal(id, **values), ENGLISH)


def computer(name: str, strength: str = "medium") -> str:
    """How the lobby describes a computer."""
    manner = manner_of(name)
    return f"🤖 {name} · {strength}" + f" · {manner.value}" * (strength != "easy")


def label_of(code: str) -> str:
    """A card's label on a button: `Q♠`."""
    if code == "JK":
        return "Joker"
    return f"{card(code).symbol}\ufe0e"


def card_of(label: str) -> Card:
    """The card with this label: `Q♠`."""
    return card(code_of(label))
