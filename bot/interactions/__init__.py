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
    operator,
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
    tournaments.tournaments_command,
    hand.hand_command,
    daily.daily_command,
    replays.scores_command,
    rules.rules_command,
    replays.last_command,
    replays.record_command,
    replays.replay_command,
    table.pace_command,
    lobby.language_command,
    settings.settings_command,
    table.join_command,
    table.leave_command,
    table.end_command,
    operator.status_command,
    rules.HOUSE,
)
COMMANDS = (
    HEARTS,
    person.preferences_command,
    person.PRIVACY,
    standings.leaderboard_command,
    standings.stats_command,
    help.help_command,
)


def by_verb(*handlers: Handler) -> dict[str, Handler]:
    """Each handler by the verb of the action in its annotation, `Click[Play]`."""
    return {get_args(get_type_hints(one)["click"])[0].verb: one for one in handlers}


#: What plays a hand, that of a daily game too.
PLAYING = by_verb(
    hand.pick,
    hand.unpick,
    hand.choose_pass,
    hand.expose,
    hand.lay,
    hand.wait,
    hand.decline,
    hand.play,
    hand.choose_moon,
    daily.by_dm,
)
#: What looks back, at a daily game too.
LOOKING_BACK = by_verb(
    replays.show_tricks,
    replays.was_it_luck,
    replays.review,
    replays.check_seal,
    replays.begin,
    replays.step,
    replays.choose_deal,
    replays.judge,
)
#: What a table alone has besides: its lobby, and what is done around its game.
ALONE = by_verb(
    alone.go_on,
    alone.begin_anew,
    lobby.start,
    lobby.rematch,
    lobby.add_computer,
    lobby.remove_computer,
    lobby.change_strength,
    rules.show,
    rules.ask,
    rules.change,
    help.learn,
    help.turn,
    hand.give_hint,
    table.come_back,
    table.propose,
    table.keep,
    replays.watch,
    replays.look,
)
#: Its message has one of these: once it is over, a click on that shows how it ended.
SHOWS_GAME = {*PLAYING, *by_verb(lobby.start, hand.give_hint, table.come_back, alone.go_on)}
#: What each button, select and form does, by the verb in its custom id.
CONTROLS = (
    PLAYING
    | LOOKING_BACK
    | ALONE
    | by_verb(lobby.join, lobby.leave, lobby.open_thread, table.join_in_thread, help.commands)
    | by_verb(inviting.show, inviting.invite, inviting.call)
    | by_verb(inviting.open_times, inviting.set_times, inviting.stop_telling)
    | by_verb(lobby.be_here, starts.choose, starts.drop, starts.open_zones, starts.choose_zone)
    | by_verb(hand.show, table.ask_for_seat, table.choose_seat)
    | by_verb(table.stay_out, table.open_or_close, table.try_again)
    | by_verb(table.stop, table.vote)
    | by_verb(standings.turn_board, standings.turn_career)
    | by_verb(daily.play, daily.finish, daily.begin_anew, daily.see_day, daily.see_deal)
    | by_verb(daily.share, daily.seals)
    | by_verb(tournaments.sign_up, tournaments.sign_off, tournaments.be_present, tournaments.show_terms)
    | by_verb(tournaments.start, tournaments.choose_start, tournaments.ask_to_cancel, tournaments.cancel)
    | by_verb(tournaments.show_my_table, tournaments.show_scores, tournaments.show_my_deals)
    | by_verb(tournaments.take_record, tournaments.turn_honours)
    | by_verb(settings.change)
    | by_verb(daily.no_mornings, person.prefer, person.forget, person.remember)
)
#: What also works in the channel around the thread that a table has of its own: joining, what the private
#: answers to that offer, and the pages that ask a host by which clock the game starts.
AROUND = (
    PLAYING
    | LOOKING_BACK
    | by_verb(table.join_in_thread, table.ask_for_seat, table.choose_seat, table.stay_out, table.come_back)
    | by_verb(hand.give_hint, replays.watch, replays.look)
    | by_verb(starts.choose, starts.drop, rules.ask, rules.change)
)
USES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


def add_commands(tree: Tree, services: Services) -> None:
    """Add all slash commands, which are handed these services."""
    tree.services = services
    for one in COMMANDS:
        tree.add_command(one)


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
        if action.table:
            await check_place(click)
            if not isinstance(action, BeHere):  # which says so itself
                with suppress(Refusal):  # it is no reason not to do what was clicked
                    await services.tables.notice_presence(action.table, reply.user_id)
        with services.limits.admit(reply.user_id, action.verb):
            await handle(click)


async def handle(click: Click[Action]) -> None:
    """Do what the control does.

    Where a table alone is over, its message then shows how it ended. What only the host may do is tried again
    if the host of a lobby turns out to have left the server.
    """
    try:
        await CONTROLS[click.action.verb](click)
    except Refusal as refusal:
        if refusal.id == "host_only" and await click.services.pass_on(click.table):
            await CONTROLS[click.action.verb](click)
            return
        if refusal.id != "table_gone" or not click.is_beside(SHOWS_GAME):
            raise
        if not (await click.services.tables.find(click.table)).is_alone:
            raise
        await alone.show_end(click)


async def check_place(click: Click[Action]) -> None:
    """Check that it was clicked in the table's channel, or in a DM by somebody at the table; else Refusal.

    Somebody who joins a table in a thread from the channel around it may go on there. A private table has no
    channel: its player may play wherever they see their hand.
    """
    table, person = await click.services.tables.find(click.table), click.reply.user_id
    verb = click.action.verb
    around = click.services.threads.parent(table.channel) if verb in AROUND else None
    if table.is_private:
        known = verb in PLAYING or verb in LOOKING_BACK or (table.is_alone and verb in ALONE)
        if table.seat_of(person) is None or not known:
            raise Refusal("stale")
        if table.daily and verb in PLAYING and not table.is_live:
            raise Refusal("daily_over")
    elif click.in_dm and not table.concerns(person):
        raise Refusal("not_seated")
    elif not click.in_dm and click.reply.channel not in (table.channel, around):
        raise Refusal("stale")
