"""Every verb, used by everyone in every place: who gets as far as its handler, and who is refused."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pytest
from nights import add_host
from people import Player, refusal
from seen import Seen
from server import Server
from simcord.builders import ChannelHandle
from test_controls import POSTED

from bot.answering import limits
from bot.answering.answering import ACCESS, HANDLERS
from bot.commands import HEARTS
from bot.vocabulary.controls import PAGES, VERBS, Access, TournamentAction

pytestmark = pytest.mark.slow

#: Who may use which verbs and commands, and where; `private` if only a message that they alone see has them.
#:
#: Who: `anyone`, a `player` of the table, a `holder` of cards, the table's `host`, a `warden` (someone who
#: may manage the channel), the `organiser` of the tournament (or someone who may manage events), a `manager`
#: of the server.
#: Where: the table's own `channel`, the one `around` its thread, a `dm` of one of its players, wherever
#: someone has their table `alone` or their `daily` game, the `tournament`'s channel and its threads, a
#: `server` that the bot is in, `anywhere`.
WHO_AND_WHERE = """
    anyone     channel                                         join, hand
    player     channel                                         leave, guests, here
    host       channel alone private                           computer, remove, strength
    host       channel alone                                   start
    anyone     channel around                                  enter
    player     alone private                                   alone, on
    anyone     server private                                  thread, house, name, save, drop
    anyone     anywhere private                                open, career, dealt, share, missing, topic
    anyone     anywhere private                                prefer, zones, zone, forget, export, delete
    anyone     anywhere private                                remember
    player     channel private                                 invite
    host       channel private                                 players, latecomers
    host       channel around private                          when, unplan
    player     channel alone                                   rematch
    anyone     channel alone                                   rules
    host       channel around alone                            options, ask, set
    host       channel around alone private                    game, size
    anyone     channel dm alone anywhere                       learn
    anyone     channel dm alone anywhere private               page
    anyone     anywhere                                        commands, daily, finish, anew, day, seals
    anyone     anywhere                                        untell
    holder     daily private                                   dm
    holder     channel around dm alone daily private           pick, unpick, pass, expose, lay, wait, decline
    holder     channel around dm alone daily private           play, confirm, moon
    holder     channel around dm alone private                 hint
    anyone     channel around dm alone                         back, lines
    anyone     channel around dm                               seat
    anyone     channel around dm private                       take, out
    player     dm                                              retry
    warden     channel private                                 stop
    anyone     channel alone private                           keep
    player     channel alone private                           propose
    player     channel dm                                      vote
    anyone     channel around alone                            watch
    anyone     channel around alone private                    look
    anyone     channel around dm alone daily                   luck, tricks, check, review, replay
    anyone     channel around dm alone daily anywhere private  step, deals, costly
    anyone     server                                          board, times, quiet, honours
    manager    server private                                  mornings
    anyone     tournament                                      signup, signoff, present, terms, whither, mine
    anyone     tournament                                      ranks, record
    organiser  tournament                                      begin, cancel
    organiser  tournament private                              calloff, clock
    manager    server                                          settings

    anyone     anywhere                                        hearts new, hearts hand, hearts daily
    anyone     anywhere                                        hearts scores, hearts rules, hearts record
    anyone     anywhere                                        hearts replay, hearts join, hearts end
    anyone     anywhere                                        hearts stats, hearts preferences
    anyone     anywhere                                        hearts privacy, hearts help
    anyone     server                                          hearts tournament, hearts house
    anyone     server                                          hearts leaderboard
    manager    server                                          hearts settings
    player     channel alone                                   hearts leave
"""
#: Whom each role includes, of those below; each person has one of these names.
ROLES = {
    "holder": {"host", "player", "blind", "kicked"},
    "player": {"host", "player", "blind"},
    "host": {"host"},
    "warden": {"warden"},
    "organiser": {"organiser", "manager"},
    "manager": {"manager"},
}
#: The places, and how a table's channel and others are seen from them; the table is in a thread.
PLACES = {
    "thread": {"channel", "tournament", "server", "anywhere"},
    "around": {"around", "tournament", "server", "anywhere"},
    "elsewhere in the server": {"server", "anywhere"},
    "another server": {"server", "anywhere"},
    "a server without the bot": {"anywhere"},
    "a dm": {"dm", "anywhere"},
    "a group dm": {"anywhere"},
}
AT_HOME = ("thread", "around", "elsewhere in the server")
#: What concerns a table or a tournament, and what concerns neither.
OF_TABLE = {"channel", "around", "dm", "alone", "daily"}
OF_NONE = {"server", "anywhere"}


@dataclass(frozen=True)
class Rule:
    """What one line says."""

    who: str
    where: frozenset[str]
    is_private: bool

    def allows(self, person: str, place: str, kinds: set[str]) -> bool:
        """Whether this person may use it there, for a control of these kinds."""
        seen = PLACES[place] & self.where & kinds
        if seen == {"dm"} and not self._may_by_dm(person):
            return False
        if self.who == "manager" and place not in AT_HOME:
            return False  # of another server
        return bool(seen) and (self.who == "anyone" or person in ROLES[self.who])

    def _may_by_dm(self, person: str) -> bool:
        """Only players may, while they are in the server; without it or its channel they only play cards."""
        return person in ("host", "player") or (person in ("blind", "kicked") and self.who == "holder")


def rules() -> dict[str, Rule]:
    """The table above."""
    found: dict[str, Rule] = {}
    for line in filter(None, map(str.strip, WHO_AND_WHERE.splitlines())):
        who, where, names = re.split("  +", line)
        words = set(where.split())
        rule = Rule(who, frozenset(words - {"private"}), "private" in words)
        found |= dict.fromkeys(names.split(", "), rule)
    return found


RULES = rules()


class World:
    """A table in a thread around which a tournament signs people up, and everyone who may come by."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.people: dict[str, Player] = {}
        self.places: dict[str, ChannelHandle] = {}
        self.there: dict[tuple[str, str], Player] = {}  # this person in that place
        self.private: dict[tuple[str, str], Seen] = {}  # a message that only they see there

    async def build(self) -> None:
        """Open both, and let everyone ask for help in every place, before one is kicked."""
        server = self.server
        host, player, blind, kicked = server.people
        organiser, manager, warden = add_host(server), server.add_manager(), server.add_warden()
        at_the_table = {"host": host, "player": player, "blind": blind, "kicked": kicked}
        managing = {"organiser": organiser, "warden": warden, "manager": manager}
        self.people = {**at_the_table, **managing, "onlooker": server.add("Otto")}
        await host.run("hearts new", thread=True)
        [table] = server.env.bot.tables.live
        for one in (player, blind, kicked):
            await one.click("Join")
        await organiser.run("hearts tournament")
        thread = ChannelHandle(server.env, server.guild, server.env.backend.get_channel(table.channel))
        self.places = {
            "thread": thread,
            "around": server.channel,
            "elsewhere in the server": server.add_channel("elsewhere"),
            "another server": server.env.create_guild("Abroad").create_text_channel("cards"),
            "a server without the bot": server.add_channel_elsewhere(),
        }
        for name in self.people:
            await self._go_everywhere(name)
        server.deny(blind, "view_channel")
        server.kick(kicked)

    async def _go_everywhere(self, name: str) -> None:
        person = self.people[name]
        person.installs()
        group = self.server.add_private_channel(person, self.server.add(f"{name}'s friend"))
        own = {"a dm": person.member.user.dm_channel, "a group dm": group}
        for place, channel in (self.places | own).items():
            there = self.there[name, place] = person.goes_to(channel)
            answer = await there.run("hearts help")
            [self.private[name, place]] = answer.private or answer.public

    def who_is_where(self) -> Iterator[tuple[str, str]]:
        """Who can be where: not where they can't see, nor in a server that they were kicked from."""
        for name, place in self.private:
            is_out = name == "kicked" and place in AT_HOME
            is_blind = name == "blind" and place in ("thread", "around")
            if not (is_out or is_blind):
                yield name, place

    async def click(self, name: str, cases: Sequence[tuple[str, bool]], on: Seen) -> None:
        """Have this person use these controls, by their custom ids, and see whether each may be used."""
        answers = [(id, may, self.people[name].forge(id, on)) for id, may in cases]
        await self.server.settle()
        for id, may, answer in answers:
            check(answer.told, f"{name}: {id} in {on.channel}", may=may)


def check(told: str, what: str, *, may: bool) -> None:
    """Those who may use it get as far as the limits, which here ask everyone to wait."""
    assert (told == refusal("asked_too_often")) is may, f"{what}: {told}"


@pytest.fixture
async def world(server: Server) -> World:
    """Everyone is where they can be."""
    found = World(server)
    await found.build()
    return found


def spend(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give everything a cost that nobody can pay: no handler is reached from now on."""
    for kind in VERBS.values():
        monkeypatch.setattr(kind, "access", replace(kind.access, cost=PAGES))
    for command in HEARTS.walk_commands():
        monkeypatch.setitem(command.extras, ACCESS, replace(command.extras[ACCESS], cost=PAGES))
    monkeypatch.setattr(limits, "ALLOWANCE", 0.0)


def controls(table: int) -> Iterator[tuple[str, str, set[str]]]:
    """A custom id for each verb, at this table or none, with the kinds of places that count then."""
    for posted in {id.split(":")[1]: id for id in POSTED}.values():
        _, verb, _, *fields = posted.split(":")
        if "tournament" in RULES[verb].where:
            yield verb, ":".join(["hearts", verb, "0", "1", *fields[1:]]), {"tournament"}
            continue
        if RULES[verb].where & OF_TABLE:
            yield verb, ":".join(["hearts", verb, str(table), *fields]), OF_TABLE
        if RULES[verb].where & OF_NONE:
            yield verb, ":".join(["hearts", verb, "0", *fields]), OF_NONE


def different(table: int) -> list[tuple[str, str, set[str]]]:
    """Of those, one for each rule and declared access: `AccessControl` knows nothing else of a control."""
    found = {}
    for verb, id, kinds in controls(table):
        kind = VERBS[verb]
        key = declared(kind.access), issubclass(kind, TournamentAction), RULES[verb], frozenset(kinds)
        found.setdefault(key, (verb, id, kinds))
    return list(found.values())


def declared(access: Access) -> Access:
    """An access without its cost, which counts only once all else is in order."""
    return replace(access, cost=None, own_data=False)


async def test_the_table_has_every_verb(ann: Player) -> None:
    commands = set(ann.member.available_commands(ann.at))
    assert RULES.keys() == commands | HANDLERS.keys()


async def test_controls_are_used_as_the_table_says(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them by the host at the table, and one of each kind by everyone everywhere."""
    spend(monkeypatch)
    for name, place in world.who_is_where():
        tried = controls(1) if (name, place) == ("host", "thread") else different(1)
        cases = [(id, RULES[verb].allows(name, place, kinds)) for verb, id, kinds in tried]
        await world.click(name, cases, world.private[name, place])
    [lobby] = world.server.posts(world.places["thread"])
    for name in ("host", "manager", "organiser"):
        cases = [
            (id, RULES[verb].allows(name, "thread", kinds) and not RULES[verb].is_private)
            for verb, id, kinds in different(1)
        ]
        await world.click(name, cases, lobby)


async def test_private_tables_are_their_players_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their player uses them everywhere; for others the place makes no difference, but a DM and a channel."""
    onlooker = world.people["onlooker"]
    tables = {}
    for kind, command in (("alone", "hearts new"), ("daily", "hearts daily")):
        await onlooker.in_dm.run(command)
        tables[kind] = world.server.env.bot.tables.live[-1].id
    spend(monkeypatch)
    for kind, table in tables.items():
        tried = [(verb, id) for verb, id, kinds in different(table) if kinds == OF_TABLE]
        for name, place in world.who_is_where():
            if name == "onlooker" or place in ("thread", "a dm"):
                cases = [(id, name == "onlooker" and kind in RULES[verb].where) for verb, id in tried]
                await world.click(name, cases, world.private[name, place])


async def test_commands_are_used_as_the_table_says(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    spend(monkeypatch)
    accesses = {one.qualified_name: one.extras[ACCESS] for one in HEARTS.walk_commands()}
    commands = {(declared(access), RULES[one]): one for one, access in accesses.items()}.values()
    for name, place in world.who_is_where():
        answers = [(one, world.there[name, place].forge_command(one)) for one in commands]
        await world.server.settle()
        for one, answer in answers:
            may = RULES[one].allows(name, place, OF_NONE | {"channel"})
            check(answer.told, f"{name} in {place}: /{one}", may=may)
