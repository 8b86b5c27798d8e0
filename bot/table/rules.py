"""The rules of a table in words, and the page and forms in which its host changes them."""

from collections.abc import Iterator

from bot.answering.refusals import sentence
from bot.table.controls import GoOn, OpenForm, SendForm, Start
from bot.table.latecomers import open_or_close, seats_in_words
from bot.table.starts import PLAN_FORM, start_form
from bot.vocabulary.controls import LOBBY, Action, Where, Who
from bot.vocabulary.messages import (
    Button,
    Choice,
    ChoiceField,
    Form,
    Part,
    Row,
    Select,
    Style,
    TextField,
    Whisper,
)
from bot.words.deadlines import AN_HOUR, long, spent
from bot.words.forms import enum_field, posts_language_field
from bot.words.text import chipped, plain
from engine.errors import Refusal
from engine.languages import N_, Language, N_as
from engine.play.feats import moons_help
from engine.players import Strength
from engine.rules import lengths
from engine.rules.lengths import End
from engine.rules.options import OPTIONS, RuleOption
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset, allowed_of
from engine.rules.wording import applicable, describe, goal
from engine.storage.house_rules import HouseRules
from engine.tables import Hints, Pace, PublicTable, State

#: The form field shared by all options that are either on or off.
SWITCHES = "switches"
#: The title of the page with the host's settings.
OPTIONS_TITLE = N_as("for everyone", "Options")
#: The form that asks for the length, the pace, the computers and the language.
TABLE_FORM, TABLE_TITLE = "table", N_("Length and pace")
#: The form that asks who may ask for hints, and how deals begin and end.
DEALS_FORM, DEALS_TITLE = "deals", N_("Hints and deals")
#: Switches in that form: computers finish a deal, the table points out moons, latecomers may take seats.
EARLY, MOONS, LATE = "early", "moons", "latecomers"
PACE = enum_field("pace", N_("Pace"), {pace: pace.title for pace in Pace})
COMPUTERS = enum_field(
    "computers",
    N_("Computers"),
    {strength: strength.title for strength in Strength},
    N_("This also changes the computers that are already seated."),
)
LANGUAGE = posts_language_field(
    "language", N_("Language"), N_("For the table's posts. What only you see stays in your own language.")
)
MAY_ASK = enum_field(
    "hints",
    N_("Who may ask for hints"),
    {
        Hints.ALONE: N_("Anyone playing alone"),
        Hints.EVERYBODY: N_("Everyone"),
        Hints.NOBODY: N_("Nobody"),
    },
)
#: Who may ask for hints, as a rule.
HINTS = {
    Hints.ALONE: N_("Anyone playing alone with computers may ask for hints."),
    Hints.EVERYBODY: N_("Everyone may ask for hints, and the table is told."),
    Hints.NOBODY: N_("Nobody may ask for hints."),
}
#: The other forms: each asks for the options of its topic that the game has.
FORMS = {"cards": N_("Cards"), "tricks": N_("Tricks"), "points": N_("Points")}
#: Who may ask for hints, among other house rules; nothing for the usual.
SAVED_HINTS = {
    Hints.EVERYBODY: N_("everyone may ask for hints"),
    Hints.NOBODY: N_("nobody may ask for hints"),
}
#: A computer's strength on a button.
STRENGTHS = {Strength.EASY: N_("Easy"), Strength.MEDIUM: N_("Medium"), Strength.STRONG: N_("Strong")}
#: Whether the table points out a player who may be shooting the moon, as a rule.
POINTS_OUT = {
    True: N_("The table points out a player who has taken every point so far."),
    False: N_("The table doesn't point out a player who has taken every point so far."),
}
#: Digits of the largest number that an option takes.
LONGEST_NUMBER = 6


class AddComputer(Action, verb="computer", who=Who.HOST, where=LOBBY, private=True, lobby_only=True):
    """Seat a computer of this strength."""

    strength: Strength


class RemoveComputer(Action, verb="remove", who=Who.HOST, where=LOBBY, private=True, lobby_only=True):
    """Remove the last computer."""


class ChangeStrength(Action, verb="strength", who=Who.HOST, where=LOBBY, private=True, lobby_only=True):
    """Give all computers this strength."""

    strength: Strength


class ShowOptions(Action, verb="options", who=Who.HOST, where=LOBBY | Where.AROUND):
    """Show the page with the host's settings."""


class ChooseGame(Action, verb="game", who=Who.HOST, where=LOBBY | Where.AROUND, private=True):
    """Change the table's game to the chosen one."""


class ChoosePlayers(Action, verb="size", who=Who.HOST, where=LOBBY | Where.AROUND, private=True):
    """Change the table's number of players to the chosen one."""


def rules_page(table: PublicTable, reader: int) -> Whisper:
    """All rules of a table, with the button that changes them if the `reader` is its host."""
    aim = table.language.full_stop(goal(table.rules, table.dialect))
    if table.tournament:
        aim = table.say("In the tournament, the best score against par wins.")
    text = f"### {table.say(table.rules.preset.title)}\n**{aim}**"
    row: Row = (back(table),) if table.is_alone and table.is_live else ()
    if table.is_live and reader == table.host and not (table.tournament or table.daily):
        row = (*row, options(table.id, table.language))
    return Whisper((text, in_words(table), *([row] if row else [])))


def options_page(table: PublicTable, wrong: Refusal | None = None) -> Whisper:
    """Everything the host can change now, below a summary or, with `wrong`, why a change was refused."""
    summary = f"⚠️ {sentence(wrong, table.language)}" if wrong else f"-# {_summary(table)}"
    heading = f"### {table.language.say_as('for everyone', OPTIONS_TITLE)}\n{summary}"
    latecomers = () if table.is_private else (open_or_close(table),)
    leave = (back(table),) if table.is_alone else ()
    if table.state is not State.LOBBY:
        pace = Button(table.say("Pace"), OpenForm(table.id, TABLE_FORM))
        return Whisper((heading, (pace, *latecomers, *leave)))
    if table.is_alone:
        leave = (Button(table.language.say_as("for everyone", "Start"), Start(table.id), Style.GOOD), *leave)
    rows = (_forms(table), *_topic_forms(table), *_computers(table))
    return Whisper((heading, _games(table), *_sizes(table), *rows, *([leave] if leave else [])))


def _summary(table: PublicTable) -> str:
    """A line with the goal, the length and the pace; mid-game, only the pace can still be changed."""
    pace = table.say("Pace: {pace}.", pace=table.say(table.pace.title))
    if table.state is not State.LOBBY:
        return pace
    aim = table.language.full_stop(goal(table.rules, table.dialect))
    time = about(table.rules, len(table.seats.people), _actual_pace(table), table.language)
    # The usual pace goes without saying: on a phone, another line would push Start out of sight.
    usual = Pace.NONE if table.is_private else Pace.RELAXED
    return table.language.sentences([aim, time, *([] if table.pace is usual else [pace])])


def _actual_pace(table: PublicTable) -> Pace:
    """The pace by which to estimate a game's length: at a private table nobody else can slow it down."""
    return Pace.LIVE if table.is_private else table.pace


def about(rules: Ruleset, people: int, pace: Pace, language: Language) -> str:
    """How long a game with this number of people should take."""
    return language.say("About {duration}.", duration=length(pace, lengths.end(rules, people), language))


def back(table: PublicTable) -> Button:
    """The button that shows a table alone again in place of a page about it."""
    return Button(table.language.say_as("button", "Back"), GoOn(table.id))


def in_words(table: PublicTable) -> str:
    """Every rule, a line each."""
    # C3: Discord doesn't tell anyone's age.
    oldest = [table.say("“Oldest” means the oldest Discord account.")] if table.rules.oldest_leads else []
    others = [
        *oldest,
        _finishing(table),
        *_pointing_out(table),
        table.say(HINTS[table.hints]),
        *([] if table.is_private else [seats_in_words(table), _leaving(table)]),
    ]
    return chipped("\n".join(f"- {line}" for line in [*describe(table.rules, table.dialect), *others]))


def _finishing(table: PublicTable) -> str:
    if table.finishes_early:
        return table.say("Once all points are taken or sure to go to one player, the deal finishes itself.")
    return table.say("Each deal is played to its last card, even when no points are left in it.")


def _pointing_out(table: PublicTable) -> Iterator[str]:
    if table.rules.counting.needed and moons_help(table.rules):
        yield table.say(POINTS_OUT[table.points_out_moons])


def _leaving(table: PublicTable) -> str:
    """What happens to players who aren't there at the end (A2, A4)."""
    last = table.say("Players who have left when the game ends come last, whatever their total.")
    if table.pace is Pace.NONE:
        return last
    first = table.say(
        "If your time is up twice in a row, you have {duration} before you count as having left.",
        duration=long(table.pace.grace, table.language),
    )
    return table.language.sentences([first, last])


def _forms(table: PublicTable) -> Row:
    titles = {TABLE_FORM: TABLE_TITLE, DEALS_FORM: DEALS_TITLE}
    return tuple(Button(table.say(title), OpenForm(table.id, name)) for name, title in titles.items())


def _topic_forms(table: PublicTable) -> Iterator[Part]:
    topics = {OPTIONS[name].topic for name in applicable(table.rules)}
    yield tuple(
        Button(table.say(title), OpenForm(table.id, name)) for name, title in FORMS.items() if name in topics
    )


def options(table: int, language: Language) -> Button:
    """The button that opens the page with the host's settings."""
    return Button(language.say_as("for everyone", OPTIONS_TITLE), ShowOptions(table))


def _computers(table: PublicTable) -> Iterator[Part]:
    """Buttons that add a computer or, if no seat is free, change all computers; and remove the last one."""
    present = frozenset(seat.strength for seat in table.seats if seat.person is None)
    last = (Button(table.say("Remove last"), RemoveComputer(table.id)),) if present else ()
    occupied, players = len(table.seats), table.rules.players
    if occupied < players:
        prompt = table.say("Seats taken: {taken} of {all}. Add a computer:", taken=occupied, all=players)
        yield f"-# {prompt}"
        yield (*_strengths(AddComputer, table, frozenset()), *last)
    elif present:
        yield f"-# {table.say('All seats are taken. Change all computers:')}"
        yield (*_strengths(ChangeStrength, table, present), *last)


def _strengths(
    change: type[AddComputer | ChangeStrength], table: PublicTable, present: frozenset[Strength]
) -> Row:
    """A button for each strength, disabled if all computers have it already."""
    return tuple(
        Button(table.say(STRENGTHS[strength]), change(table.id, strength), enabled=present != {strength})
        for strength in Strength
    )


def form(table: PublicTable, name: str, *, posts_language: Language, now: float) -> Form:
    """The form of this name, filled in with the table's current rules. KeyError if there is none.

    `posts_language` is chosen in the form, whose own language is `table`'s; examples are based on `now`.
    """
    action = SendForm(table.id, name)
    if name == TABLE_FORM:
        return Form(table.say(TABLE_TITLE), tuple(_table_fields(table, posts_language)), action)
    if name == DEALS_FORM:
        return Form(table.say(DEALS_TITLE), tuple(_deals_fields(table)), action)
    if name == PLAN_FORM:
        return start_form(table, action, now)
    return Form(table.say(FORMS[name]), tuple(_fields(table, name)), action)


def _table_fields(table: PublicTable, posts_language: Language) -> Iterator[ChoiceField]:
    say, is_lobby = table.say, table.state is State.LOBBY
    if is_lobby:
        yield ChoiceField("length", say("Length"), tuple(_lengths(table)))
    yield PACE.pick(table.pace, table.language)
    if is_lobby:
        yield COMPUTERS.pick(table.strength, table.language)
        if not table.is_private:
            yield LANGUAGE.pick(posts_language, table.language)


def _lengths(table: PublicTable) -> Iterator[Choice]:
    """A few deals, or the totals to which the game can be played, and how long each should take."""
    rules, language, people, pace = table.rules, table.language, len(table.seats.people), _actual_pace(table)
    for end in lengths.short(rules, people):
        count = round(end.deals)
        label = language.say_count(count, "{count} deal", "{count} deals")
        if is_in_minutes(pace):
            label = table.say("{deals}, about {duration}", deals=label, duration=spent(end.minutes, language))
        yield Choice(label, f"deals.{count}", chosen=count == rules.deals)
    for end in lengths.ends(rules, people):
        duration, total = length(pace, end, language), language.number(end.total)
        label = table.say("{duration} (to {total})", duration=duration, total=total)
        yield Choice(label, str(end.total), chosen=not rules.deals and end.total == rules.ends_at)


def is_in_minutes(pace: Pace) -> bool:
    """Whether a game's length can be given in minutes: not where players may think for hours."""
    return (pace.seconds or AN_HOUR * 2) <= AN_HOUR


def length(pace: Pace, end: End, language: Language) -> str:
    """A game's length in minutes or, where players may think for hours, in deals."""
    if is_in_minutes(pace):
        return spent(end.minutes, language)
    return language.say_count(max(1, round(end.deals)), "{count} deal", "{count} deals")


def _deals_fields(table: PublicTable) -> Iterator[ChoiceField]:
    say = table.say
    yield ChoiceField(SWITCHES, say("During a deal"), tuple(_switches(table)), many=True)
    yield MAY_ASK.pick(table.hints, table.language)
    if table.rules.oldest_leads:
        yield ChoiceField("first", say("Who leads the first deal"), tuple(_leaders(table)))


def _games(table: PublicTable) -> Select:
    """The games, each with its numbers of players and its goal."""
    choices = []
    for preset in PRESETS.values():
        aim = goal(Ruleset.for_preset(preset, preset.players[0]), table.language)
        seats = table.say("{players} players", players=table.language.either(preset.players))
        hint = f"{seats} · {aim}"
        chosen = preset is table.rules.preset
        choices.append(Choice(table.say(preset.title), preset.name, chosen, hint))
    return Select(ChooseGame(table.id), table.say("Game"), tuple(choices))


def _sizes(table: PublicTable) -> Iterator[Select]:
    """The numbers of players, where the game leaves a choice."""
    rules, possible = table.rules, table.rules.preset.players
    if len(possible) > 1:
        labels = [table.say_count(one, "{count} player", "{count} players") for one in possible]
        choices = [
            Choice(label, str(one), one == rules.players) for label, one in zip(labels, possible, strict=True)
        ]
        yield Select(ChoosePlayers(table.id), table.say("Number of players"), tuple(choices))


def _switches(table: PublicTable) -> Iterator[Choice]:
    yield Choice(table.say("Finish it as soon as the rest is decided"), EARLY, table.finishes_early)
    yield Choice(table.say("Point out who has taken every point so far"), MOONS, table.points_out_moons)
    if not table.is_private:
        yield Choice(table.say("Latecomers may take computers' seats"), LATE, table.takes_latecomers)


def _leaders(table: PublicTable) -> Iterator[Choice]:
    """C3: the choices of who leads the first deal, the oldest account unless the host names someone."""
    yield Choice(table.say("the oldest account"), "0", chosen=table.first is None)
    for seat, name in zip(table.seats, table.names, strict=True):
        if seat.person is not None:
            yield Choice(plain(name, table.language), str(seat.person), chosen=seat.person == table.first)


def _fields(table: PublicTable, topic: str) -> Iterator[TextField | ChoiceField]:
    rules, say = table.rules, table.say
    options = [OPTIONS[name] for name in applicable(rules) if OPTIONS[name].topic == topic]
    if switches := [option for option in options if option.is_switch]:
        choices = tuple(Choice(say(one.title), one.name, chosen=getattr(rules, one.name)) for one in switches)
        yield ChoiceField(SWITCHES, say("Extras"), choices, many=True)
    for option in options:
        if option.name in lengths.ENDINGS:
            now = str(rules.all_options[option.name])
            hint = say("0: play until someone reaches that total.") if option.name == "deals" else None
            yield TextField(option.name, say(option.title), now, LONGEST_NUMBER, hint)
        elif not option.is_switch:
            yield _pick(table, option)


def _pick(table: PublicTable, option: RuleOption) -> ChoiceField:
    rules, say = table.rules, table.say
    now = rules.all_options[option.name]
    choices = tuple(
        Choice(say(option.in_words(value)), str(value), chosen=value == now)
        for value in allowed_of(rules.preset, rules.players, option.name)
    )
    return ChoiceField(option.name, say(option.title), choices)


def saved_hints(saved: HouseRules) -> Hints:
    """Who may ask for hints by these house rules; the usual if the stored value is damaged."""
    return next((one for one in Hints if one.value == saved.hints), Hints.ALONE)
