"""All slash commands; importing this also registers the handlers of every button, select and form."""

from bot.answering.answering import Services, Tree, check_declared, check_handled, group
from bot.daily import handlers as daily
from bot.help import handlers as help
from bot.invitations import handlers as invitations
from bot.people import handlers as person
from bot.people import server_handlers as settings
from bot.replays import handlers as replays
from bot.standings import handlers as standings
from bot.table import alone_handlers as alone
from bot.table import game_handlers as table
from bot.table import hand_handlers as hand
from bot.table import lobby_handlers as lobby
from bot.table import rules_handlers as rules
from bot.table import starts_handlers as starts
from bot.tournaments import handlers as tournaments

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
#: Modules that only handle controls; they are imported to register their handlers.
WITHOUT_COMMANDS = (alone, invitations, starts)
check_declared(HEARTS)
check_handled()


def add_commands(tree: Tree, services: Services) -> None:
    """Add all slash commands to the tree, and give it the services that they use."""
    tree.services = services
    tree.add_command(HEARTS)
