"""House rules: the lobby's Rules button, and rules that a server keeps under a name."""

import json
import re

import discord
import pytest
from games import TABLES, sentence
from people import Answer, Player, refusal
from seen import Seen, plain
from server import Server, forbid

from engine.rules.options import KINDS
from engine.rules.presets import PRESETS, WIKIBOOKS
from engine.rules.ruleset import Ruleset

PLAYERS = "players"
EXTRAS = "Extras: none"
EXTRA_OPTIONS = {
    "lead_hearts_with_queen": "Only hearts and Q♠ in hand: hearts may be led",
    "jack_of_diamonds": "J♦ takes ten points off",
    "hooligan": "7♣ costs seven points",
    "spot_hearts": "Hearts count their face value",
    "even_scores": "A total of 50, 100 or 150 loses 50",
}


async def open_rules(host: Player) -> Seen:
    """Press Rules in the lobby."""
    [editor] = (await host.click("Rules")).private
    return editor


def now(server: Server, editor: Seen) -> Seen:
    """The editor as it looks now."""
    return Seen.now(server.env, editor.message)


async def choose(server: Server, host: Player, editor: Seen, prompt: str, *values: str) -> Seen:
    """Choose in one of the editor's lists; the editor after that."""
    answer = await host.choose(values, editor, prompt)
    assert answer.told == ""
    return now(server, editor)


def rules_of(server: Server) -> Ruleset:
    """The rules that the database holds of the one table."""
    [table] = server.stored()["tables"]
    return Ruleset.from_json(json.loads(table["rules"]))


async def set_total(host: Player, editor: Seen, text: str) -> Answer:
    """Fill in the form for the total that ends the game."""
    button = next(label for label in editor.buttons if label.startswith("Game ends at"))
    return await host.fill_in(await host.click(button, editor), text)


# The Rules button


@pytest.mark.parametrize(("preset", "players"), TABLES)
async def test_every_option_of_a_game_can_be_chosen(
    server: Server, ann: Player, preset: str, players: int
) -> None:
    """Each value of each list in turn, and the rules that are then stored."""
    await server.seat(ann, game=preset, players=players)
    editor = await open_rules(ann)
    tried = set()
    for prompt, select in editor.selects.items():
        name = select["custom_id"].rpartition(":")[2]
        if name not in KINDS:
            continue
        for value in reversed([option["value"] for option in select["options"]]):
            editor = await choose(server, ann, editor, prompt, value)
            options = editor.selects[prompt]["options"]
            assert [option["value"] for option in options if option["default"]] == [value]
            stored = getattr(rules_of(server), name)
            assert str(getattr(stored, "value", stored)) == value
            tried.add(name)
    extras = editor.selects.get(EXTRAS, {"options": []})["options"]
    offered = tried | {option["value"] for option in extras} | {"ends_at"}
    packs = PRESETS[preset].packs[players]
    missing = {name for name in (*PRESETS[preset].options, "remainder") if name not in offered}
    assert missing <= ({"remainder"} if len(packs) == 1 else set()) | ({"kitty"})


async def test_the_editor_shows_the_rules_in_words_as_they_now_stand(server: Server, ann: Player) -> None:
    await server.seat(ann)
    editor = await open_rules(ann)
    assert editor.says("House rules: Hearts Lowest total wins; over when a total reaches 100.")
    assert editor.says("Pass three cards: to the left, to the right, across, no pass; and again.")
    editor = await choose(server, ann, editor, "Cards to pass", "5")
    assert editor.says("Pass five cards: to the left")
    editor = await choose(server, ann, editor, "Cards to pass", "0")
    assert editor.says("No cards are passed.")
    editor = await choose(server, ann, editor, "Who wins", "highest")
    assert editor.says("Highest total wins")
    editor = await choose(server, ann, editor, "Shooting the moon", "half")
    assert editor.says("The moon (all hearts and Q♠): −13 for the shooter, +13 for everybody else.")
    assert editor.options("Shooting the moon") == {
        "Shooting the moon: the others pay": False,
        "Shooting the moon: the shooter gains": False,
        "Shooting the moon: the shooter chooses": False,
        "Shooting the moon: half each way": True,
    }


async def test_extras_are_switched_on_and_off_together(server: Server, ann: Player) -> None:
    await server.seat(ann, game="wikibooks", players=3)
    editor = await open_rules(ann)
    assert editor.options(EXTRAS) == dict.fromkeys(EXTRA_OPTIONS.values(), False)
    editor = await choose(server, ann, editor, EXTRAS, "jack_of_diamonds", "hooligan", "spot_hearts")
    for words in ("J♦ −10 for its taker.", "7♣ +7 for its taker.", "Hearts count their face value"):
        assert editor.says(words)
        assert server.post("Seats").says(words)
    assert editor.says("over when a total reaches 500")  # W14: hearts at face value end later
    editor = await choose(server, ann, editor, EXTRAS)
    assert editor.options(EXTRAS) == dict.fromkeys(EXTRA_OPTIONS.values(), False)
    assert editor.says("Each heart counts 1, Q♠ 13.")
    assert editor.says("over when a total reaches 100")


async def test_a_total_that_makes_no_sense_is_refused_and_changes_nothing(
    server: Server, ann: Player
) -> None:
    await server.seat(ann)
    before, editor = server.stored(), await open_rules(ann)
    for text, given in (
        ("abc", "abc"),
        ("0", 0),
        ("-5", -5),
        ("100001", 100_001),
        ("1.5", "1.5"),
        ("   ", ""),
        ("²", "²"),
    ):
        answer = await set_total(ann, editor, text)
        told = refusal("option_number", option="ends_at", given=given, least=1, most=100_000)
        # What somebody typed is kept harmless by backslashes, which Discord does not show.
        assert re.sub(r"(?<=\\)\\", "", answer.told) == told
        assert server.stored() == before
        assert now(server, editor).text == editor.text


async def test_the_form_says_what_stands_and_changes_it(server: Server, ann: Player) -> None:
    await server.seat(ann)
    editor = await open_rules(ann)
    form = await ann.click("Game ends at 100 …", editor)
    assert form.result.modal is not None
    assert "'100'" in str(form.result.modal)
    await ann.fill_in(form, " 42 ")
    assert "Game ends at 42 …" in now(server, editor).buttons
    assert server.post("Seats").says("over when a total reaches 42")


async def test_only_the_host_opens_the_rules(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.seat(ann, bo)
    for other in (bo, cy):
        answer = await other.click("Rules")
        assert answer.told == refusal("host_only", host="Ann")
        assert not answer.public


async def test_who_is_host_no_longer_changes_nothing(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    editor = await open_rules(ann)
    form = await ann.click("Game ends at 100 …", editor)
    await ann.click("Leave")
    before = server.stored()
    told = refusal("host_only", host="Bo")
    assert (await ann.choose(["0"], editor, "Cards to pass")).told == told
    assert (await ann.fill_in(form, "50")).told == told
    assert (await ann.click("Game ends at 100 …", editor)).told == told
    assert server.stored() == before


async def test_once_the_game_is_on_its_rules_stay(server: Server, ann: Player) -> None:
    await server.seat(ann)
    editor = await open_rules(ann)
    await ann.click("Start")
    before = server.stored()
    assert (await ann.choose(["0"], editor, "Cards to pass")).told == refusal("already_started")
    assert server.stored() == before
    late = now(server, editor)
    assert list(late.selects) == ["Pace"]  # nothing else shows a rule that the game does not have
    await choose(server, ann, late, "Pace", "live")
    assert server.post("Seats").says("Pace: live")
    assert not any("Rules" in post.enabled for post in server.posts())


async def test_everyone_sees_a_change_in_the_lobby(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    lobby = server.post("Seats")
    editor = await open_rules(ann)
    await choose(server, ann, editor, "Cards to pass", "1")
    await choose(server, ann, editor, "Pace", "daily")
    seen = [one for one in bo.sees() if one.id == lobby.id]
    assert seen[0].says("Pass one card: to the left")
    assert seen[0].says("Pace: daily (24 hours a turn)")
    assert editor.id not in [one.id for one in bo.sees()]


async def test_the_game_is_played_by_the_changed_rules(server: Server, ann: Player) -> None:
    await server.seat(ann)
    editor = await open_rules(ann)
    await choose(server, ann, editor, "Cards to pass", "5")
    await ann.click("Start")
    assert ann.hand.says("Choose 5 cards to pass to Lola, to your left.")
    assert "Choose 5 more" in ann.hand.buttons


async def test_another_number_of_players_drops_the_kitty(server: Server, ann: Player) -> None:
    await server.seat(ann, game="wikibooks", players=3)
    editor = await open_rules(ann)
    assert "Who takes the kitty" not in editor.selects
    editor = await choose(server, ann, editor, "Cards that cannot be dealt evenly", "kitty")
    editor = await choose(server, ann, editor, "Who takes the kitty", "one-per-trick")
    assert editor.says("Kitty: one card face down, to go with the first tricks, one with each.")
    editor = await choose(server, ann, editor, PLAYERS, "4")
    assert "Who takes the kitty" not in editor.selects
    assert "Cards that cannot be dealt evenly" not in editor.selects
    assert not editor.says("Kitty")
    assert server.post("Seats").says("Seats (1 of 4)")
    editor = await choose(server, ann, editor, PLAYERS, "5")
    assert editor.options("Cards that cannot be dealt evenly") == {
        "Cards that cannot be dealt evenly: are taken out": True,
        "Cards that cannot be dealt evenly: lie in a kitty": False,
        "Cards that cannot be dealt evenly: come out even with jokers": False,
    }


async def test_another_remainder_drops_the_kitty_and_keeps_the_rest(server: Server, ann: Player) -> None:
    await server.seat(ann, game="double-deck", players=6)
    editor = await open_rules(ann)
    editor = await choose(server, ann, editor, "Cards to pass", "4")
    editor = await choose(server, ann, editor, "Who takes the kitty", "first-trick")
    editor = await choose(server, ann, editor, "Cards that cannot be dealt evenly", "remove")
    assert "Who takes the kitty" not in editor.selects
    assert editor.says("Two decks without one 2♣, one 2♦: 17 cards each.")
    assert editor.says("Pass four cards")


async def test_fewer_seats_than_people_are_refused(server: Server, ann: Player) -> None:
    await server.seat(*server.people, game="wikibooks", players=5)
    editor = await open_rules(ann)
    before = server.stored()
    answer = await ann.choose(["3"], editor, PLAYERS)
    assert answer.told == "4 are seated already, so a table for 3 is too small."
    assert server.stored() == before
    await choose(server, ann, editor, PLAYERS, "4")
    assert "Join" not in server.post("Seats").enabled


async def test_the_oldest_account_leads_unless_the_host_names_somebody(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.seat(ann, bo, cy, game="chinese", players=3)
    editor = await open_rules(ann)
    assert editor.options("First deal") == {
        "First deal: the oldest account leads": True,
        "First deal: Ann leads": False,
        "First deal: Bo leads": False,
        "First deal: Cy leads": False,
    }
    assert not server.post("Seats").says("· leads first")
    editor = await choose(server, ann, editor, "First deal", str(cy.id))
    assert editor.options("First deal")["First deal: Cy leads"]
    assert server.post("Seats").says("3. Cy · leads first")
    await choose(server, ann, editor, "First deal", "0")
    assert not server.post("Seats").says("· leads first")


# Kept under a name


async def test_house_rules_are_kept_and_opened_again(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, game="wikibooks", players=5, jack_of_diamonds=True, ends_at=70)
    answer = await ann.run("hearts house save", name="Fridays")
    assert plain(answer.told) == "Saved. /hearts new house: offers Fridays from now on."
    assert not answer.public
    bo.at = server.add_thread("another")
    [lobby] = (await bo.run("hearts new", house="Fridays")).public
    assert lobby.says("♥ Hearts for three to six Lowest total wins; over when a total reaches 70.")
    assert lobby.says("J♦ −10 for its taker.")
    assert lobby.says("Seats (1 of 5) 1. Bo · host")


async def test_an_option_that_the_game_lacks_is_refused_by_its_title(server: Server, ann: Player) -> None:
    answer = await ann.run("hearts new", game="chinese", jack_of_diamonds=True)
    told = "The option “J♦ takes ten points off” does not apply here. Chinese Hearts: "
    assert plain(answer.told).startswith(told)
    assert "jack_of_diamonds" not in answer.told


async def test_options_beside_house_rules_change_them(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, game="wikibooks", players=5, jack_of_diamonds=True)
    await ann.run("hearts house save", name="Fridays")
    bo.at = server.add_thread("another")
    [lobby] = (await bo.run("hearts new", house="Fridays", players=4, ends_at=50)).public
    assert lobby.says("over when a total reaches 50")
    assert lobby.says("J♦ −10 for its taker.")
    assert lobby.says("Seats (1 of 4)")
    bo.at = server.add_thread("a third")
    answer = await bo.run("hearts new", house="Fridays", players=7)
    assert answer.told == refusal("players", game=WIKIBOOKS, players=WIKIBOOKS.players, given=7)


async def test_names_are_suggested_as_one_types(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann)
    for name in ("Fridays", "Late fridays", "Sundays"):
        await ann.run("hearts house save", name=name)
    for command, option in (("hearts new", "house"), ("hearts house delete", "name")):
        for typed, names in (
            ("", ["Fridays", "Late fridays", "Sundays"]),
            ("FRI", ["Fridays", "Late fridays"]),
            ("x", []),
        ):
            found = await bo.member.autocomplete(bo.at, command, option, typed)
            assert found == [{"name": name, "value": name} for name in names]


async def test_at_most_25_names_are_suggested(server: Server, ann: Player) -> None:
    await server.seat(ann)
    for number in range(30):
        await ann.run("hearts house save", name=f"Rules {number:02}")
    found = await ann.member.autocomplete(ann.at, "hearts new", "house", "")
    assert [one["name"] for one in found] == [f"Rules {number:02}" for number in range(25)]
    assert (await ann.run("hearts new", house="Rules 29")).told == refusal("table_in_channel")


async def test_other_servers_keep_other_rules(server: Server, ann: Player) -> None:
    await server.seat(ann)
    await ann.run("hearts house save", name="Fridays")
    elsewhere = server.env.create_guild("Elsewhere")
    channel, member = elsewhere.create_text_channel("cards"), elsewhere.add_member(ann.member.user)
    assert await member.autocomplete(channel, "hearts new", "house", "") == []
    answer = Answer(await member.slash(channel, "hearts new", house="Fridays"))
    assert answer.told == refusal("no_such_house_rules", name="Fridays")


async def test_unknown_names_are_refused(server: Server, ann: Player) -> None:
    told = refusal("no_such_house_rules", name="Fridays")
    assert (await ann.run("hearts new", house="Fridays")).told == told
    assert (await ann.run("hearts house delete", name="Fridays")).told == told
    assert (await ann.run("hearts house save", name="Fridays")).told == refusal("no_table")
    assert "No house rules are saved here." in (await ann.run("hearts house show")).told


async def test_show_tells_how_the_rules_differ_from_the_game(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, game="cancellation")
    await ann.run("hearts house save", name="As it is")
    editor = await open_rules(ann)
    editor = await choose(server, ann, editor, "Who wins", "lowest")
    editor = await choose(server, ann, editor, EXTRAS, "hooligan")
    await ann.run("hearts house save", name="Ours")
    answer = await bo.run("hearts house show")
    assert not answer.public
    assert plain(answer.told) == (
        "### House rules As it is: Cancellation Hearts for 5; as the game is "
        "Ours: Cancellation Hearts for 5; 7♣ costs seven points; Who wins: the lowest total"
    )


async def test_only_who_saved_them_or_manages_the_server_deletes(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann)
    await ann.run("hearts house save", name="Fridays")
    told = refusal("not_your_house_rules", name="Fridays")
    assert (await bo.run("hearts house delete", name="Fridays")).told == told
    assert (await bo.run("hearts house save", name="Fridays")).told == told
    assert plain((await ann.run("hearts house delete", name="Fridays")).told) == "Fridays is deleted."
    assert "No house rules are saved here." in (await ann.run("hearts house show")).told
    assert "Saved." in (await bo.run("hearts house save", name="Fridays")).told


async def test_who_manages_the_server_deletes_anybodys(server: Server, ann: Player) -> None:
    await server.seat(ann)
    await ann.run("hearts house save", name="Fridays")
    role = server.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    manager = server.add("Max", roles=[role])
    assert "is deleted" in (await manager.run("hearts house delete", name="Fridays")).told


async def test_saving_again_replaces_ones_own(server: Server, ann: Player) -> None:
    await server.seat(ann)
    await ann.run("hearts house save", name="Fridays")
    await set_total(ann, await open_rules(ann), "33")
    await ann.run("hearts house save", name="Fridays")
    told = plain((await ann.run("hearts house show")).told)
    assert told == "### House rules Fridays: Hearts for 4; Total that ends the game: 33"


@pytest.mark.parametrize("name", ["**bold**", "@everyone", "# big", "<@1> `x`", "a\\_b", "😀" * 40])
async def test_a_name_is_shown_as_it_is_and_does_nothing(server: Server, ann: Player, name: str) -> None:
    await server.seat(ann)
    saved = await ann.run("hearts house save", name=name)
    shown = await ann.run("hearts house show")
    ann.at = server.add_thread("another")
    missing = await ann.run("hearts new", house=name + "!")
    words = re.search(r"offers \*\*(.+)\*\* from now on", saved.told)
    assert words is not None
    read = re.sub(r"\\([^\w\s]|_)", r"\1", words[1]).replace("\u200b", "").replace("‹", "<")
    assert read == name
    assert words[1] in shown.told
    assert sentence(f"{words[1]}!") in sentence(missing.told)
    for active in ("**bold**", "@everyone", "<@1>", "`x`"):
        assert active not in words[1]
    assert await ann.member.autocomplete(ann.at, "hearts new", "house", "") == [{"name": name, "value": name}]
    assert (await ann.run("hearts new", house=name)).public
    assert "is deleted" in (await ann.run("hearts house delete", name=name)).told


async def test_many_house_rules_with_many_options_fit_into_one_message(server: Server, ann: Player) -> None:
    await server.seat(ann, game="double-deck", players=6)
    editor = await open_rules(ann)
    for prompt in list(editor.selects):
        if prompt not in (PLAYERS, EXTRAS, "Pace", "Cards that cannot be dealt evenly"):
            others = [one["value"] for one in editor.selects[prompt]["options"] if not one["default"]]
            editor = await choose(server, ann, editor, prompt, others[-1])
    values = [option["value"] for option in editor.selects[EXTRAS]["options"]]
    editor = await choose(server, ann, editor, EXTRAS, *values)
    await set_total(ann, editor, "100000")
    for number in range(20):
        await ann.run("hearts house save", name=f"{number:02}" + "_" * 38)
    shown = await ann.run("hearts house show")  # that it fits is checked of every message
    listed = sum(f"**{number:02}" in shown.told for number in range(20))
    assert listed >= 4
    assert sentence(shown.told).endswith(f"… and {20 - listed} more")


async def test_a_table_with_saved_rules_needs_the_permission_to_post_too(server: Server, ann: Player) -> None:
    await server.seat(ann)
    await ann.run("hearts house save", name="Fridays")
    bot = server.env.bot.user
    ann.at = server.add_channel("secret", overwrites={bot: forbid("send_messages")})
    assert (await ann.run("hearts new", house="Fridays")).told == refusal("bot_may_not_post")


async def test_a_suggestion_turns_no_text_around(server: Server, ann: Player) -> None:
    await server.seat(ann)
    await ann.run("hearts house save", name="ours\u202eexe.knil")
    found = await ann.member.autocomplete(ann.at, "hearts new", "house", "ours")
    assert found == [{"name": "oursexe.knil", "value": "ours\u202eexe.knil"}]
