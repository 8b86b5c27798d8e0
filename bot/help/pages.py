"""The pages of `/hearts help`: the way into a game, and the list of commands."""

from bot.vocabulary.controls import Action, Where, Who
from bot.vocabulary.messages import Button, Link, Row, Style, Whisper
from bot.words.how_to_play import learn
from bot.words.text import chipped
from engine.languages import N_, Language
from engine.rules.ruleset import Ruleset
from engine.rules.wording import goal, worth

#: Every command and what it does, grouped by when people need it.
COMMANDS = {
    N_("Playing"): {
        "/hearts new": N_(
            "open a table in this channel, with `thread` in a thread of its own; in a DM with me, one for you"
        ),
        "/hearts daily": N_("today's three deals, the same for everyone; `channel` posts them each morning"),
        "/hearts tournament": N_(
            "open a tournament in this channel: rounds at several tables, scored fairly"
        ),
        "/hearts join": N_("take a seat; mid-game, a computer's seat from the next deal"),
        "/hearts hand": N_("your hand, for you alone (the same as **My hand**)"),
        "/hearts leave": N_("leave your seat to a computer; if you're still gone at the end, you come last"),
    },
    N_("At the table"): {
        "/hearts scores": N_("the points of each deal and the totals"),
        "/hearts rules": N_("the rules of this table"),
        "/hearts end": N_("end the game as it stands, once more than half of the people agree"),
    },
    N_("Afterwards"): {
        "/hearts replay": N_("the last game again with all hands open, or one from a record file"),
        "/hearts record": N_("the last game's record as a file"),
        "/hearts leaderboard": N_("who is ahead in this server, and who has won its tournaments"),
        "/hearts stats": N_("one player's rating, games and achievements, or two players head to head"),
    },
    N_("More"): {
        "/hearts house": N_("the house rules of this server; at a table, save its rules for `/hearts new`"),
        "/hearts settings": N_(
            "where tables open in this server, who may open tournaments, and its language (Manage Server)"
        ),
        "/hearts preferences": N_("when you are mentioned, invited or told about tables, and your language"),
        "/hearts privacy": N_("get everything stored about you as a file, or delete it"),
        "/hearts help": N_("how to play, and this list"),
    },
}

SEAL = N_("Each deal is sealed as the cards are dealt. **Check the deal**, below its points, opens the seal.")


class ListCommands(Action, verb="commands", who=Who.ANYONE, where=Where.ANYWHERE):
    """List every command."""


def help_page(rules: Ruleset, table: int, language: Language) -> Whisper:
    """The page for people who have never played, by the rules of this table (0 for none)."""
    say = language.say
    steps = (
        say(
            "`/hearts new` opens a table in a channel. Friends press **Join**. Press **Start** to "
            "deal; computers take the empty seats."
        ),
        say("Your cards come by DM, or behind **My hand** in the channel. Tap one when it is your turn."),
    )
    last = say(
        "**Take a seat** lets you in later; **Watch** and **Replay** show all hands of finished deals."
    )
    return _page(rules, steps, last, _buttons(table, language), language)


def help_alone(rules: Ruleset, table: int, invitation: str, language: Language) -> Whisper:
    """The page for people who play alone; `invitation` is the address that adds the bot to a server."""
    say = language.say
    steps = (
        say("`/hearts new` opens a table here for you alone, with computers. Press **Start** to deal."),
        say("Your cards are in the same message. Tap one when it is your turn."),
    )
    last = say("To play with friends, add me to a server: they join your table there.")
    row = (*_buttons(table, language), Link(say("Add me to a server"), invitation))
    return _page(rules, steps, last, row, language)


def _buttons(table: int, language: Language) -> Row:
    return (
        learn(table, language, Style.GOOD),
        Button(language.say("All commands"), ListCommands(0)),
    )


def _page(rules: Ruleset, steps: tuple[str, ...], last: str, row: Row, language: Language) -> Whisper:
    """The numbered steps into a game, then what counts points in it, then tips."""
    say = language.say
    points = (
        say("The winner of a trick takes the points in it."),
        chipped(worth(rules, language)),
        language.full_stop(goal(rules, language)),
    )
    more = (
        say(
            "Alone? `/hearts new` in a DM with me opens a table for you and computers; `/hearts daily` deals "
            "everyone the same three deals each day."
        ),
        say(
            "**Hint** says what a strong player would do; **How did I play?**, what cost you most in a deal."
        ),
        say(
            "**Was it luck?** compares everyone's points with par: what strong computers make of the same "
            "cards when they replay them many times."
        ),
        last,
    )
    numbered = [f"{number}. {step}" for number, step in enumerate((*steps, language.sentences(points)), 1)]
    listed = [f"- {line}" for line in more]
    title = f"## ♥ {say(rules.preset.title)}"
    return Whisper((title, "\n".join(numbered), "\n".join(listed), row))


def commands_page(language: Language) -> Whisper:
    """The list of every command."""
    say = language.say
    groups = [
        "\n".join([f"### {say(when)}", *[f"- `{name}` {say(use)}" for name, use in commands.items()]])
        for when, commands in COMMANDS.items()
    ]
    return Whisper((*groups, f"-# {say(SEAL)}"))
