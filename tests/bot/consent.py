"""Who may be mentioned or written to: those who have asked for it, and those invited, once a table.

Read from what people pressed and what the bot sent, in the order in which it crossed the wire.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from server import Server

SENDS = re.compile(r"POST /channels/(\d+)/messages")
OPENS_DM = "POST /users/@me/channels"
MENTION = re.compile(r"<@!?(\d+)>")
#: The controls and commands by which people come to a table, or begin a daily deal.
TO_A_TABLE = {"join", "enter", "rematch", "thread", "seat", "take", "back", "hand"}
JOINS = TO_A_TABLE | {"daily", "dm", "finish", "anew", "signup", "present"}
JOIN_COMMANDS = {"new", "join", "daily", "hand"}
#: The controls by which people invite others, say who may tell them of tables, or delete everything.
INVITE, TELL, STOP_TELLING, FORGET = "invite", "prefer", "untell", "forget"
#: The button of an invitation and of a call for players.
JOIN = re.compile(r"hearts:join:(\d+)")


@dataclass
class _Consent:
    """What people have asked for so far."""

    joined: set[int] = field(default_factory=set)
    invited: set[tuple[int, int]] = field(default_factory=set)  # a table, and who was chosen for it
    told: dict[tuple[int, int], str] = field(default_factory=dict)  # a server and a person: how they asked
    called: dict[tuple[int, int], str] = field(default_factory=dict)  # a table and a person: the nonce

    def note(self, payload: Any) -> None:
        """Note what somebody has pressed or sent."""
        who = int((payload.get("member") or payload)["user"]["id"])
        data, guild = payload.get("data") or {}, int(payload.get("guild_id") or 0)
        _, verb, table, *_ = [*str(data.get("custom_id", "")).split(":"), "", "", ""]
        options = {one["name"] for one in data.get("options") or ()}
        if verb in JOINS or (data.get("name") == "hearts" and options & JOIN_COMMANDS):
            self.joined.add(who)
        elif verb == INVITE and table.isdigit():
            self.invited.update((int(table), int(chosen)) for chosen in data.get("values") or ())
        elif verb == TELL:
            way = _picked(data, "tell")
            if way is not None and guild:
                self.told[guild, who] = way
        elif verb == STOP_TELLING:
            self.told = {key: way for key, way in self.told.items() if key[1] != who}
        elif verb == FORGET:
            self.joined.discard(who)
            self.told = {key: way for key, way in self.told.items() if key[1] != who}


def _picked(data: Any, name: str) -> str | None:
    for part in data.get("components") or ():
        answer = part.get("component") or {}
        if answer.get("custom_id") == name:
            return str([*answer.get("values", ()), answer.get("value")][0])
    return None


def intrusions(server: Server) -> Iterator[str]:
    """Everything that was sent to somebody who had neither asked for it nor been invited."""
    backend = server.env.backend
    dms = {channel: person for person, channel in backend.dm_channels.items()}
    consent = _Consent(joined=set(server.seated))
    for kind, name, body in backend.transcript:
        if kind == "GATEWAY" and name == "INTERACTION_CREATE":
            consent.note(body)
        elif kind == "HTTP" and name == OPENS_DM:
            yield from _written_to(consent, int(body["recipient_id"]), server.guild.id, name)
        elif kind == "HTTP" and (sent := SENDS.fullmatch(name)):
            channel = int(sent[1])
            if channel in dms:
                yield from _written_to(consent, dms[channel], server.guild.id, name)
            else:
                yield from _mentioned(consent, body or {}, server.guild.id, name)


def _written_to(consent: _Consent, person: int, guild: int, where: str) -> Iterator[str]:
    """Only players get DMs, and people who want to be told of tables that way."""
    if person not in consent.joined and consent.told.get((guild, person)) != "dm":
        yield f"{where}: writes to somebody who has asked for nothing"


def _mentioned(consent: _Consent, body: Any, guild: int, where: str) -> Iterator[str]:
    """Only players are mentioned, people chosen to be invited, and people who want to be told that way."""
    named = MENTION.findall(str(body.get("content") or "") + str(body.get("components") or ""))
    notified = [str(one) for one in (body.get("allowed_mentions") or {}).get("users") or ()]
    asks = JOIN.search(str(body.get("components")))
    for person in map(int, {*named, *notified}):
        if asks is None:
            if person not in consent.joined:
                yield f"{where}: mentions somebody who has asked for nothing"
            continue
        table = int(asks[1])
        if (table, person) not in consent.invited and consent.told.get((guild, person)) != "mention":
            yield f"{where}: calls somebody who was neither invited nor wants to be told"
        nonce = str(body.get("nonce"))  # the same where what has failed is sent again
        if consent.called.setdefault((table, person), nonce) != nonce:
            yield f"{where}: calls somebody twice to table {table}"
