"""What slash commands, buttons, selects and forms do: a module for each topic, and here the list of all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, cast, get_args, get_type_hints

import discord

from bot.controls import Action, BeHere, decode
from bot.interactions import (
    alone,
    daily,
    hand,
    help,
    inviting,
    lobby,
    person,
    replays,
    rules,
    settings,
    standings,
    starts,
    table,
    tournaments,
)
from bot.interactions.answering import (
    SORRY,
    SORRY_ELSEWHERE,
    Click,
    Services,
    Tree,
    admitted,
    check_declared,
    group,
    reporting_errors,
    who,
)
from bot.messages import CHECK
from engine.errors import Refusal

Handler = Callable[[Any], Awaitable[None]]  # is handed a Click

HEARTS = group(
    "hearts",
    "Play Hearts in this channel",
    lobby.new_command,
    tournaments.tournament_command,
    hand.hand_command,
    daily.daily_command,
    replays.scores_command,
    rules.rules_command,
    replays.record_command,
    replays.replay_command,
    settings.settings_command,
    table.join_command,
    table.leave_command,
    table.end_command,
    rules.house_command,
    standings.leaderboard_command,
    standings.stats_command,
    person.preferences_command,
    person.privacy_command,
    help.help_command,
)
check_declared(HEARTS)


def by_verb(*handlers: Handler) -> dict[str, Handler]:
    """Each handler by the verb of the action in its annotation, `Click[Play]`."""
    return {get_args(get_type_hints(one)["click"])[0].verb: one for one in handlers}


#: What plays a hand.
PLAYING = by_verb(
    hand.pick,
    hand.unpick,
    hand.choose_pass,
    hand.expose,
    hand.lay,
    hand.wait,
    hand.decline,
    hand.play,
    hand.confirm_play,
    hand.choose_moon,
    daily.by_dm,
)
#: Its message has one of these: once it is over, a click on that shows how it ended.
SHOWS_GAME = {*PLAYING, *by_verb(lobby.start, hand.give_hint, table.come_back, alone.go_on)}
#: What each button, select and form does, by the verb in its custom id.
CONTROLS = (
    PLAYING
    | by_verb(replays.show_tricks, replays.was_it_luck, replays.share, replays.review, replays.check_seal)
    | by_verb(replays.begin, replays.step, replays.choose_deal, replays.judge)
    | by_verb(replays.watch, replays.look)
    | by_verb(alone.go_on, alone.begin_anew)
    | by_verb(lobby.start, lobby.rematch, lobby.add_computer, lobby.remove_computer, lobby.change_strength)
    | by_verb(
        rules.show,
        rules.show_options,
        rules.choose_game,
        rules.choose_players,
        rules.ask,
        rules.change,
        help.learn,
        help.turn,
    )
    | by_verb(hand.give_hint, table.come_back, table.stop, table.keep)
    | by_verb(
        lobby.join, lobby.leave, lobby.open_thread, lobby.open_here, table.join_in_thread, help.commands
    )
    | by_verb(inviting.show, inviting.invite, inviting.call)
    | by_verb(inviting.open_times, inviting.set_times, inviting.stop_telling)
    | by_verb(lobby.be_here, starts.choose, starts.drop, starts.open_zones, starts.choose_zone)
    | by_verb(hand.show, table.ask_for_seat, table.choose_seat)
    | by_verb(table.stay_out, table.open_or_close, table.try_again)
    | by_verb(table.propose, table.vote)
    | by_verb(standings.turn_board, standings.turn_honours, standings.turn_career, standings.show_missing)
    | by_verb(daily.play, daily.finish, daily.begin_anew, daily.see_day, daily.see_deal)
    | by_verb(daily.share, daily.seals)
    | by_verb(tournaments.sign_up, tournaments.sign_off, tournaments.be_present, tournaments.show_terms)
    | by_verb(tournaments.start, tournaments.choose_start, tournaments.ask_to_cancel, tournaments.cancel)
    | by_verb(tournaments.show_my_table, tournaments.show_scores, tournaments.show_my_deals)
    | by_verb(tournaments.take_record)
    | by_verb(settings.change, rules.show_house, rules.name_house, rules.save_house, rules.delete_house)
    | by_verb(daily.no_mornings, person.open_form, person.prefer)
    | by_verb(person.export, person.ask_to_delete, person.forget, person.remember)
)
USES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


def add_commands(tree: Tree, services: Services) -> None:
    """Add all slash commands, which are handed these services."""
    tree.services = services
    tree.add_command(HEARTS)


async def use(services: Services, interaction: discord.Interaction[Any]) -> None:
    """Handle the use of a control. It is read from its custom id alone, so it still works after a restart."""
    if interaction.type not in USES:
        return
    custom_id = str(cast(Any, interaction.data or {}).get("custom_id", ""))
    if custom_id.startswith(CHECK):
        return  # another process asks this with our token, and answers it
    action, reply = decode(custom_id), services.delivery.reply(interaction)
    doing = f"control {action.verb} of table {action.table}" if action else "an unknown control"
    async with reporting_errors(reply, doing, SORRY if action and action.table else SORRY_ELSEWHERE):
        services.limits.check_open()
        if action is None:
            raise Refusal("stale")
        await services.tables.preferences.heard(who(interaction))
        click = Click(services, reply, action)
        await services.access.check_control(reply, action, is_private=click.is_private)
        if action.table and not isinstance(action, BeHere):  # which says so itself
            with suppress(Refusal):  # it is no reason not to do what was clicked
                await services.tables.notice_presence(action.table, reply.user_id)
        with admitted(services, reply, action.verb, action.access):
            await handle(click)


async def handle(click: Click[Action]) -> None:
    """Do what the control does; where a table alone is over, its message then shows how it ended."""
    try:
        await CONTROLS[click.action.verb](click)
    except Refusal as refusal:
        if refusal.id != "table_gone" or not click.is_beside(SHOWS_GAME):
            raise
        if not (await click.services.tables.find(click.table)).is_alone:
            raise
        await alone.show_end(click)
