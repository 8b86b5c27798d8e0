"""Opening a table, sitting down, getting up, choosing how to play and for how long, starting."""

import re
from typing import Any

import pytest
from games import PRESETS, add_computers, change_rule, change_rules, open_options, table_form
from people import Answer, Player, computer, filled, refusal
from server import Server, forbid
from test_house_rules import fields, offered

from engine.rules.ruleset import Ruleset

STRENGTHS = ["Easy", "Medium", "Strong"]
WITHOUT = "Open it without that option"
#: What everyone finds in a lobby, in this order.
BUTTONS = ["Join", "Start", "Leave", "Invite", "Options", "Plan", "Rules", "How to play"]


async def test_a_new_table_shows_what_is_pressed_first_below_the_game_and_its_seats(ann: Player) -> None:
    opened = await ann.run("hearts new", jack_of_diamonds=True)
    [lobby] = opened.public
    assert not opened.private
    assert lobby.says("Seats (1 of 4) 1. Ann · host 2. free 3. free 4. free")
    assert lobby.says("min. Pace: relaxed (10 minutes a turn).")
    assert lobby.says("J♦ −10")
    assert lobby.says("joining lets the bot message you")
    assert lobby.enabled == BUTTONS
    [container] = lobby.components
    game, seats, row, small, others = container["components"]
    assert game["content"].endswith("\n**Lowest total wins; over when a total reaches 100.**")
    assert seats["content"].startswith("**Seats**")
    assert [one["label"] for one in row["components"]] == BUTTONS[:4]
    assert all(line.startswith("-# ") for line in small["content"].split("\n"))
    assert [one["label"] for one in others["components"]] == BUTTONS[4:]


async def test_people_join_at_the_same_moment_and_those_with_a_seat_get_one_dm(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await ann.run("hearts new")
    lobby, eve, flo = server.post("Seats"), server.add("Eve"), server.add("Flo")
    first, second = bo.press("Join", lobby), bo.press("Join", lobby)
    await server.settle()
    assert (first.public, first.private) == ([], [])
    assert refusal("already_seated") in second.told
    assert (await cy.run("hearts join")).told == "You have a seat. Your hand will come by DM."
    answers = [player.press("Join", lobby) for player in (di, eve, flo)]
    await server.settle()
    assert [refusal("table_full") in answer.told for answer in answers] == [False, True, True]
    for player in server.people:
        assert [dm.says("You have a seat") for dm in player.dms()] == [True]
    assert eve.dms() == flo.dms() == []
    full = server.post("Seats")
    assert full.says("Seats (4 of 4) 1. Ann · host 2. Bo 3. Cy 4. Di")
    assert full.enabled == [label for label in BUTTONS if label not in ("Join", "Invite")]


async def test_a_table_goes_to_the_next_person_until_everyone_has_left(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.seat(ann)
    await add_computers(ann, "Medium")
    await bo.click("Join")
    await cy.click("Join")
    await cy.click("Leave")
    await ann.run("hearts leave")
    assert server.post("Seats").says(f"Seats (2 of 4) 1. {computer('Lola')} 2. Bo · host 3. free")
    await bo.click("Leave")
    lobby = server.post("Seats")
    assert lobby.says("This table is closed.")
    assert lobby.enabled == []


async def test_computers_of_any_strength_take_seats_and_the_last_fills_the_others_until_people_come(
    server: Server, ann: Player
) -> None:
    await ann.run("hearts new", computers="easy")
    assert server.post("Seats").says("Easy computers take the empty seats")
    assert "Remove last" not in (await add_computers(ann)).enabled
    free = await add_computers(ann, "Easy", "Strong")
    assert server.post("Seats").says(f"2. {computer('Lola', 'easy')} 3. {computer('Hugo', 'strong')} 4. free")
    assert free.says("Seats taken: 3 of 4. Add a computer:")
    full = await add_computers(ann, "Strong")
    assert full.says("All seats are taken. Change all computers:")
    assert not full.says("Add a computer:")
    assert [one for one in full.enabled if one in STRENGTHS] == STRENGTHS
    before = server.stored()
    assert await ann.try_press("Medium", free) == ""
    assert free.current.says(f"⚠️ {refusal('table_full')}")
    assert free.current.buttons == full.buttons
    assert server.stored() == before
    await ann.click("Medium", full)
    assert server.post("Seats").says(f"2. {computer('Lola')} 3. {computer('Hugo')} 4. {computer('Nina')}")
    assert [one for one in full.current.enabled if one in STRENGTHS] == ["Easy", "Strong"]  # medium they are
    await ann.click("Remove last", full)
    assert server.post("Seats").says(f"3. {computer('Hugo')} 4. free")
    assert server.post("Seats").says("Medium computers take the empty seats")
    for player in server.people[1:]:
        await player.click("Join")
    assert not server.post("Seats").says("computer")
    assert not {*STRENGTHS, "Remove last"} & (await open_options(ann)).buttons.keys()


# Options


async def test_the_host_changes_what_most_tables_choose_in_one_form(
    server: Server, ann: Player, bo: Player
) -> None:
    """Only a strength that is chosen anew is that of all computers."""
    await server.seat(ann, bo)
    form = await table_form(ann)
    assert filled(form) == {"length": "100", "pace": "relaxed", "computers": "medium", "language": "en"}
    page = await add_computers(ann, "Easy")
    form = await ann.click("Length and pace", page)
    assert filled(form)["computers"] == "easy"
    before = len(ann.sees())
    await ann.send(form, pace="live", length="50")
    assert len(ann.sees()) == before
    told = "-# Lowest total wins; over when a total reaches 50. About 15 min. Pace: live (60 seconds a turn)."
    assert page.current.text.split("\n")[:2] == ["### Options", told]
    for words in (
        "over when a total reaches 50.",
        "Pace: live (60 seconds a turn).",
        f"3. {computer('Lola', 'easy')} 4. free",
    ):
        assert server.post("Seats").says(words)
    await ann.send(await ann.click("Length and pace", page.current), computers="strong")
    assert server.post("Seats").says(f"3. {computer('Lola', 'strong')} 4. free")
    assert server.post("Seats").says("Press Start to deal. Strong computers take the empty seats.")


def totals(form: Answer) -> dict[str, str]:
    """By how long each takes, the totals that end a game."""
    found = [re.fullmatch(r"(.+) \(to ([\d,]+)\)", label) for label in offered(form, "length")]
    return {one[1]: one[2] for one in found if one}


def chosen(form: Answer) -> str:
    """How long the game takes that is chosen."""
    [label] = [label for label, is_chosen in offered(form, "length").items() if is_chosen]
    return label.partition(" (to ")[0]


async def test_the_host_chooses_among_lengths_for_an_evening(server: Server, ann: Player, bo: Player) -> None:
    """The document's end stays the usual one among them; whoever joins makes it longer."""
    await server.seat(ann)
    assert chosen(await table_form(ann)) == "20 min"
    assert server.post("Seats").says("About 20 min.")
    await bo.click("Join")
    form = await table_form(ann)
    assert list(totals(form)) == ["15 min", "30 min", "60 min"]
    assert chosen(form) == "30 min"
    assert totals(form)["30 min"] == filled(form)["length"] == "100"
    for time, total in (("15 min", totals(form)["15 min"]), ("30 min", "100")):
        await ann.send(await table_form(ann), length=total)
        assert chosen(await table_form(ann)) == time
        assert server.post("Seats").says(f"over when a total reaches {total}.")
        assert server.post("Seats").says(f"About {time}.")
        assert not server.post("Seats").says("House rules")
    await ann.send(form, length="deals.4")
    assert server.post("Seats").says("total wins; over after 4 deals.")
    assert not server.post("Seats").says("House rules")
    assert filled(await table_form(ann))["length"] == "deals.4"
    [label] = [one["label"] for one in fields(form)["length"]["options"] if one["value"] == "deals.4"]
    assert re.fullmatch(r"4 deals, about (\d+) min", label)
    assert server.post("Seats").says(f"About {label.partition('about ')[2]}.")
    for game, players, end in (("wikibooks", 4, 100), ("cancellation", 5, 150)):  # which bring their own
        form = await table_form(ann)
        await ann.send(form, length=totals(form)["60 min"])
        await change_rules(ann, game=game)
        assert server.post("Seats").says(f"over when a total reaches {end}.")
        [table] = server.stored()["tables"]
        assert Ruleset.from_json(table["rules"]) == Ruleset.of(game, players)
    await change_rules(ann, deals="1")
    assert server.post("Seats").says("over after 1 deal.")


async def test_a_daily_game_is_told_in_deals_and_keeps_its_end(server: Server, ann: Player) -> None:
    await server.seat(ann, pace="daily")
    times = list(totals(await table_form(ann)))
    assert len(times) > 2
    assert all(time.endswith(" deals") for time in times)
    assert re.search(r"About \d+ deals\. Pace: daily", server.post("Seats").text)
    await ann.click("Start")
    before = server.stored()
    usual = {"pace": "relaxed", "computers": "medium", "length": "50"}
    late = ann.forge_form("hearts:set:1:table", server.post("Seats"), **usual)
    await server.settle()
    assert late.told == refusal("already_started")
    assert server.stored() == before


async def test_the_list_of_games_has_a_line_for_each_and_the_number_of_players_is_another(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.seat(ann, ends_at=42, pace="daily")
    page = await open_options(ann)
    games = page.selects["Game"]["options"]
    assert [one["label"] for one in games] == [preset.title for preset in PRESETS.values()]
    assert games[1]["description"].startswith("3, 4, 5 or 6 players · Lowest total wins")
    assert "Number of players" not in page.selects
    await ann.choose("wikibooks", page, "Game")
    sizes = page.current.selects["Number of players"]["options"]
    usual = {one["value"]: one.get("default", False) for one in sizes}
    assert usual == {"3": False, "4": True, "5": False, "6": False}
    await change_rule(ann, page, "pass_cards", "1")
    await ann.choose("wikibooks", page.current, "Game")  # which it is already
    await ann.choose("6", page.current, "Number of players")
    for words in ("Seats (1 of 6)", "reaches 100.", "Cards to pass: 1.", "Pace: daily"):
        assert server.post("Seats").says(words)
    await ann.choose("cancellation", page.current, "Game")  # the nearest number of players
    assert server.post("Seats").says("Seats (1 of 5)")
    await ann.choose("wikibooks", page.current, "Game")
    for player in (bo, cy, di):
        await player.click("Join")
    before, told = server.stored(), refusal("seats_taken", seated=4, players=3)
    await ann.choose("3", page.current, "Number of players")
    assert page.current.says(f"⚠️ {told}")
    assert server.stored() == before
    await ann.choose("4", page.current, "Number of players")
    assert not page.current.says(told)
    assert server.post("Seats").says("Seats (4 of 4)")


async def test_no_table_where_the_bot_may_not_post(server: Server, ann: Player) -> None:
    """In a thread it needs the permission for threads."""
    bot = server.env.bot.user
    in_channel = (("view_channel", False), ("send_messages", False))
    in_thread = (("view_channel", True), ("send_messages_in_threads", True))
    for missing, is_thread in (*in_channel, *in_thread):
        quiet = server.add_channel("quiet", overwrites={bot: forbid(missing)})
        ann.at = server.add_thread("thread", quiet) if is_thread else quiet
        assert (await ann.run("hearts new")).told == refusal("bot_may_not_post"), missing
    assert not server.stored()["tables"]


# What was refused, and what can be had instead


@pytest.mark.parametrize(
    ("options", "label", "game", "players"),
    [
        ({"game": "classic", "players": 10}, "Double-deck Hearts", "double-deck", 10),
        ({"game": "cancellation", "players": 3}, "Hearts for three to six", "wikibooks", 3),
        ({"game": "chinese", "jack_of_diamonds": True}, WITHOUT, "chinese", 4),
        ({"game": "chinese", "starts": "in 2 minutes"}, WITHOUT, "chinese", 4),
        ({"game": "chinese", "starts": "23 Jan 20:00"}, WITHOUT, "chinese", 4),
        ({"game": "chinese", "starts": "whenever"}, WITHOUT, "chinese", 4),
    ],
)
async def test_a_refused_table_has_a_button_for_the_one_that_can_be_had(
    server: Server, ann: Player, options: dict[str, Any], label: str, game: str, players: int
) -> None:
    [told] = (await ann.run("hearts new", computers="easy", ends_at=70, **options)).private
    assert told.enabled == [label]
    assert "_" not in told.text  # an option is named by its title
    assert not server.stored()["tables"]
    [lobby] = (await ann.click(label, told)).public
    assert lobby.says(f"Seats (1 of {players})")
    assert lobby.says("70")
    assert lobby.says("Easy computers take the empty seats")
    [table] = server.env.bot.tables.live
    assert table.rules.preset.name == game
    assert table.plan is None


async def test_a_table_opens_and_closes_from_the_refusal_of_a_command_that_needs_it_so(
    server: Server, ann: Player, bo: Player
) -> None:
    [told] = (await ann.run("hearts join")).private
    assert told.text == refusal("no_table")
    [lobby] = (await ann.click("Open a table", told)).public
    assert lobby.says("Pace: relaxed")
    assert (await ann.click("Open a table", told)).told == refusal("own_table_in_channel")
    [told] = (await bo.run("hearts new")).private
    assert told.text == refusal("table_in_channel")
    assert told.enabled == ["Open a thread"]
    [told] = (await ann.run("hearts new")).private
    assert told.text == refusal("own_table_in_channel")
    assert told.enabled == ["Close it", "Open a thread"]
    await ann.click("Close it", told)
    assert server.post("Seats").says("This table is closed.")
    assert (await ann.run("hearts new")).public
