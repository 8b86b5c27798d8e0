"""House rules: the lobby's Rules button, and rules that a server keeps under a name."""

import re
from collections.abc import Awaitable, Iterable
from typing import Any

import pytest
from games import change_rule, change_rules, open_options, sentence
from people import Answer, Player, filled, refusal
from seen import Seen, plain
from server import Server

from bot.table.house import DeleteHouseRules, digest
from bot.table.rules import FORMS, SWITCHES
from engine.rules.presets import PRESETS, WIKIBOOKS
from engine.rules.ruleset import Ruleset
from engine.storage import house_rules
from engine.storage.database import Database
from engine.storage.house_rules import MOST_A_PERSON, MOST_A_SERVER
from tests.tables.house import refusal as refused

STRENGTHS = ("Easy", "Medium", "Strong")
NONE_SAVED = "No house rules are saved here."


async def read_rules(player: Player) -> Seen:
    [page] = (await player.click("Rules")).private
    return page


def fields(form: Answer) -> dict[str, Any]:
    """The fields of a form by their names."""
    assert form.result.modal is not None, form.told
    return {one["component"]["custom_id"]: one["component"] for one in form.result.modal["components"]}


def offered(form: Answer, field: str) -> dict[str, bool]:
    """What can be chosen in one of a form's fields, and whether it is chosen now."""
    options = fields(form)[field]["options"]
    return {one["label"].replace("\ufe0e", ""): one.get("default", False) for one in options}


def rules_of(server: Server) -> Ruleset:
    """The rules that the database holds of the one table."""
    [table] = server.stored()["tables"]
    return Ruleset.from_json(table["rules"])


# The Rules button


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "players"), [("wikibooks", 3), ("double-deck", 6), ("cancellation", 5), ("chinese", 3)]
)
async def test_every_option_of_a_game_can_be_chosen(
    server: Server, ann: Player, preset: str, players: int
) -> None:
    """Each value of each field in turn, and the rules that are then stored.

    Hearts for four has no option that Hearts for three to six lacks.
    """
    assert set(PRESETS["classic"].options) <= set(PRESETS["wikibooks"].options)
    await server.seat(ann, game=preset, players=players)
    page = await open_options(ann)
    tried = set()
    for title in FORMS.values():
        if title not in page.buttons:
            continue
        for name, field in fields(await ann.click(title, page)).items():
            most = "100" if name == "deals" else "100000"
            values = [one["value"] for one in field.get("options", ())] or ["1", most, "77"]
            if name == SWITCHES:
                for switch in values:
                    for on in (True, False):
                        assert await change_rule(ann, page, switch, on) == ""
                        assert getattr(rules_of(server), switch) is on
                tried |= set(values)
                continue
            for value in reversed(values):
                assert await change_rule(ann, page, name, value) == ""
                stored = getattr(rules_of(server), name)
                assert str(getattr(stored, "value", stored)) == value
                assert filled(await ann.click(title, page))[name] == value
            tried.add(name)
    packs = PRESETS[preset].packs[players]
    missing = {*PRESETS[preset].options, "deals", "remainder"} - tried
    assert missing <= ({"remainder"} if len(packs) == 1 else set()) | ({"kitty"})


async def test_lobby_and_rules_say_what_was_chosen_and_it_is_played(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo, game="wikibooks", players=4)
    lobby, page = server.post("Seats"), await open_options(ann)
    assert not lobby.says("House rules")
    switches = ["jack_of_diamonds", "hooligan", "spot_hearts"]
    await ann.send(await ann.click("Points", page), switches=switches)
    assert rules_of(server).options == dict.fromkeys(switches, True)
    await change_rule(ann, page, "pass_cards", "1")
    await change_rule(ann, page, "pace", "daily")
    rules = await read_rules(ann)
    for words in ("Whoever takes J♦ gets −10.", "Whoever takes 7♣ gets +7.", "Hearts count their face value"):
        assert rules.says(words)
    assert rules.says("over when a total reaches 500")  # W14: hearts at face value end later
    [seen] = [one for one in bo.sees() if one.id == lobby.id]
    for words in ("J♦ −10", "7♣ +7", "Hearts count their face value", "Cards to pass: 1."):
        assert seen.says(words)
    for words in ("J♦ takes ten points off", "7♣ costs seven points"):  # said once, as above
        assert not seen.says(words)
    assert seen.says("Pace: daily (24 hours a turn).")
    await ann.click("Start")
    assert ann.hand.says("to pass to Bo, to your left.")


async def test_a_total_that_makes_no_sense_is_refused_and_changes_nothing(
    server: Server, ann: Player
) -> None:
    await server.seat(ann)
    before, page = server.stored(), await open_options(ann)
    count = len(ann.sees())
    typed = {"0": 0, "100001": 100_001, "1.5": "1.5", "   ": "", "²": "²"}
    for text, given in typed.items():
        told = refusal("option_number", option="ends_at", given=given, least=1, most=100_000)
        assert await change_rule(ann, page, "ends_at", text) == told  # alone: it replaces the one before
        assert server.stored() == before
        assert page.current.buttons == page.buttons
    assert await change_rule(ann, page, "ends_at", " 42 ") == ""
    assert filled(await ann.click("Points", page))["ends_at"] == "42"
    assert len(ann.sees()) == count


async def test_everybody_reads_the_rules_and_the_host_alone_is_offered_to_change_them(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.seat(ann, bo)
    page = await open_options(ann)
    assert page.enabled == ["Length and pace", "Hints and deals", "Cards", "Tricks", "Points", *STRENGTHS]
    own = await read_rules(ann)
    assert own.enabled == ["Options"]
    for other in (bo, cy):
        read = await read_rules(other)
        assert (read.text, read.buttons) == (own.text, {})
        assert (await other.run("hearts rules")).told == read.text


async def test_forms_ask_for_what_the_number_of_players_leaves_to_choose(server: Server, ann: Player) -> None:
    await server.seat(ann, game="wikibooks", players=3)
    page = await open_options(ann)
    assert "kitty" not in fields(await ann.click("Cards", page))
    for option, value in (("remainder", "kitty"), ("kitty", "one-per-trick")):
        assert await change_rule(ann, page, option, value) == ""
    kitty = "Kitty: one card face down, one each for the winners of the first tricks."
    assert (await read_rules(ann)).says(kitty)
    await change_rule(ann, page, "players", "4")
    assert fields(await ann.click("Cards", page)).keys() == {"pass_cards"}
    assert not (await read_rules(ann)).says("Kitty")
    await change_rule(ann, page, "players", "5")
    remainders = {"are taken out": True, "go into a kitty": False, "are evened out with jokers": False}
    assert offered(await ann.click("Cards", page), "remainder") == remainders


async def test_the_oldest_account_leads_unless_the_host_names_a_player(
    server: Server, ann: Player, cy: Player
) -> None:
    await server.seat(ann, cy, game="chinese", players=3)
    page = await open_options(ann)
    form = await ann.click("Hints and deals", page)
    assert offered(form, "first") == {"the oldest account": True, "Ann": False, "Cy": False}
    await change_rule(ann, page, "first", str(cy.id))
    assert filled(await ann.click("Hints and deals", page))["first"] == str(cy.id)
    assert server.post("Seats").says("2. Cy · leads first")
    await cy.click("Leave")
    assert filled(await ann.click("Hints and deals", page))["first"] == "0"
    await cy.click("Join")
    assert not server.post("Seats").says("· leads first")


# Kept under a name


async def test_house_rules_are_kept_and_opened_again_with_other_options(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, game="wikibooks", players=5, jack_of_diamonds=True, ends_at=70)
    told = plain(await ann.save_rules("Fridays"))
    assert told.startswith("### House rules Saved. /hearts new house: offers Fridays from now on. Fridays: ")
    await change_rules(ann, game="cancellation")
    await ann.save_rules("As it is")
    await change_rules(ann, winner="lowest", hooligan=True, hints="everybody")
    await ann.save_rules("Ours")
    assert plain((await bo.run("hearts house")).told) == (
        "### House rules As it is: Cancellation Hearts for 5; the usual rules "
        "Fridays: Hearts for three to six for 5; J♦ takes ten points off; Total that ends the game: 70 "
        "Ours: Cancellation Hearts for 5; 7♣ costs seven points; Who wins: the lowest total; "
        "everyone may ask for hints"
    )
    assert len(server.posts()) == 1
    bo.at = server.add_thread("another")
    answer = await bo.run("hearts new", house="Fridays", players=7)
    assert answer.told == refusal("players", game=WIKIBOOKS, players=WIKIBOOKS.players, given=7)
    [lobby] = (await bo.run("hearts new", house="Fridays", players=4)).public
    assert lobby.says("♥ Hearts for three to six Lowest total wins; over when a total reaches 70.")
    assert lobby.says("J♦ −10.")
    assert lobby.says("Seats (1 of 4) 1. Bo · host")
    bo.at = server.add_thread("a third")
    [told] = (await bo.run("hearts new", house="Ours", game="classic")).private
    assert told.text == refusal("house_names_game")
    await bo.click("Open it without that option", told)
    assert (await read_rules(bo)).says("Everyone may ask for hints, and the table is told.")


def saving(
    database: Database, name: str, person: int = 1, *, ends_at: int = 100, may_manage: bool = False
) -> Awaitable[None]:
    """Save a table's rules under this name in server 7."""
    rules = Ruleset.of("classic", 4, {"ends_at": ends_at})
    return house_rules.save(database, 7, name, rules, person, may_manage=may_manage)


async def test_names_that_look_alike_are_one(database: Database) -> None:
    for name in (" ", "\u3164", "\u200b\u2800", "\u0301"):
        assert await refused(saving(database, name)) == "unseen_name"
    for name in ("Friday", " Friday ", "Fri\u200bday", "FRIDAY", "Ｆｒｉｄａｙ"):
        await saving(database, name, ends_at=33)
    [(name, saved)] = await house_rules.every(database, 7)
    assert (name, saved.rules.ends_at) == ("Friday", 33)
    assert await refused(saving(database, "friday", 2)) == "not_your_house_rules"
    assert await house_rules.find(database, 7, "fri\u200bday") == saved
    await house_rules.delete(database, 7, "FRIDAY")
    assert await house_rules.every(database, 7) == []


async def test_one_person_cannot_fill_a_server_with_house_rules(database: Database) -> None:
    for number in range(MOST_A_PERSON):
        await saving(database, f"Ann {number}")
    assert await refused(saving(database, "One more")) == "too_many_own_house_rules"
    await saving(database, "Ann 3")  # in place of her own
    await saving(database, "Bo's", 2)
    await house_rules.delete(database, 7, "Ann 5")
    await saving(database, "One more")
    for number in range(MOST_A_SERVER - MOST_A_PERSON - 1):
        await saving(database, f"Max {number}", 3, may_manage=True)
    assert await refused(saving(database, "Too many", 3, may_manage=True)) == "too_many_house_rules"
    assert await refused(saving(database, "Too many", 2)) == "too_many_house_rules"


async def keep(server: Server, person: Player, names: Iterable[str], guild: int | None = None) -> None:
    """Store house rules under these names, as if this person, who manages the server, had saved them."""
    database, rules = server.databases[-1], Ruleset.of("classic", 4)
    for name in names:
        await house_rules.save(database, guild or server.guild.id, name, rules, person.id, may_manage=True)


async def test_unknown_names_and_those_of_other_servers_are_refused(server: Server, ann: Player) -> None:
    await keep(server, ann, ["Fridays"], server.env.create_guild("Elsewhere").id)
    told = refusal("no_such_house_rules", name="Fridays")
    assert (await ann.run("hearts new", house="Fridays")).told == told
    [page] = (await ann.run("hearts house")).private
    assert page.buttons == {}, "there is no table whose rules could be saved"
    assert await ann.try_control("hearts:house:0:0", page, digest("Fridays")) == refusal("stale")
    assert await ann.try_control("hearts:drop:0:x", page) == refusal("stale")
    assert await ann.try_control("hearts:name:0", page) == refusal("no_table")
    assert NONE_SAVED in (await ann.run("hearts house")).told


async def test_only_who_saved_them_or_manages_the_server_deletes(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann)
    await ann.save_rules("Fridays")
    told = refusal("not_your_house_rules", name="Fridays")
    [page] = (await bo.run("hearts house")).private
    await bo.choose(digest("Fridays"), page)
    assert page.current.says("Fridays: Hearts for 4")
    assert page.current.enabled == ["Back"]
    assert await bo.try_control(str(DeleteHouseRules(0, digest("Fridays"))), page) == told
    assert await bo.save_rules("Fridays") == told
    assert "Fridays has been deleted." in plain(await ann.delete_rules("Fridays"))
    assert NONE_SAVED in (await ann.run("hearts house")).told
    assert "Saved." in await bo.save_rules("Fridays")
    manager = server.add_manager()
    assert "Saved." in await manager.save_rules("Fridays")
    assert "Saved." in await ann.save_rules("Sundays")
    assert "has been deleted" in (await manager.delete_rules("Sundays"))


async def test_a_name_is_shown_as_it_is_and_does_nothing(server: Server, ann: Player) -> None:
    await server.seat(ann)
    for name in ("**bold**", "@everyone", "# big", "<@1> `x`", "a\\_b", "😀" * 40):
        ann.at = server.channel
        saved = await ann.save_rules(name)
        shown = await ann.run("hearts house")
        ann.at = server.add_thread("another")
        missing = await ann.run("hearts new", house=name + "!")
        [words] = re.findall(r"offers \*\*(.+)\*\* from now on", saved)
        read = re.sub(r"\\([^\w\s]|_)", r"\1", words).replace("\u200b", "").replace("‹", "<")
        assert read == name
        assert words in shown.told
        assert sentence(f"{words}!") in sentence(missing.told)
        assert not any(active in words for active in ("**bold**", "@everyone", "<@1>", "`x`"))
        suggested = await ann.member.autocomplete(ann.at, "hearts new", "house", "")
        assert suggested == [{"name": name, "value": name}]
        assert (await ann.run("hearts new", house=name)).public
        assert "has been deleted" in await ann.delete_rules(name)


async def test_25_names_are_listed_on_a_page_and_suggested_as_one_types(server: Server, ann: Player) -> None:
    """That the longest lines fit is proven of every message."""
    numbered = [f"{number:02}" + "_" * 38 for number in range(30)]
    await keep(server, ann, numbered)
    [page] = (await ann.run("hearts house")).private
    listed = sum(f"**{number:02}" in page.text for number in range(30))
    assert 1 < listed < 25
    assert sentence(page.text).endswith(f"… and {25 - listed} more")
    assert len(page.options("Choose one")) == 25, "each can be looked at"
    await ann.click("Next", page)
    assert len(page.current.options("Choose one")) == 5
    await keep(server, ann, ["Fridays", "Late fridays", "ours\u202eexe.knil"])
    for typed, names in {"FRI": ["Fridays", "Late fridays"], "x!": [], "__": numbered[:25]}.items():
        found = await ann.member.autocomplete(ann.at, "hearts new", "house", typed)
        assert found == [{"name": name, "value": name} for name in names]
    [turned] = await ann.member.autocomplete(ann.at, "hearts new", "house", "ours")
    assert turned == {"name": "oursexe.knil", "value": "ours\u202eexe.knil"}
    assert (await ann.run("hearts new", house=numbered[29])).public
