"""What slash commands, buttons, selects and forms do: a module for each topic, and here the commands."""

from __future__ import annotations

from bot.interactions import alone as alone  # its controls need only be known
from bot.interactions import (
    daily,
    hand,
    help,
    lobby,
    person,
    replays,
    rules,
    settings,
    standings,
    table,
    tournaments,
)
from bot.interactions import inviting as inviting
from bot.interactions import starts as starts
from bot.interactions.answering import Services, Tree, check_declared, check_handled, group

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
check_handled()


def add_commands(tree: Tree, services: Services) -> None:
    """Add all slash commands, which are handed these services."""
    tree.services = services
    tree.add_command(HEARTS)
