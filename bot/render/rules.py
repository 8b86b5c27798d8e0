"""The rules of a table in words, and the forms in which its host changes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.controls import AddComputer, ChangeStrength, OpenForm, RemoveComputer, SendForm
from bot.messages import Button, Choice, Form, Line, Part, Pick, Row, Whisper
from bot.render.deadlines import AN_HOUR, long, spent
from bot.render.latecomers import open_or_close, seats_in_words
from bot.render.refusals import sentence
from bot.render.text import chipped, harmless, person, plain
from engine.errors import Refusal
from engine.languages import ENGLISH
from engine.play.feats import moons_help
from engine.players import Strength
from engine.rules import lengths
from engine.rules.lengths import End
from engine.rules.options import OPTIONS, Option
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset, allowed_of
from engine.rules.wording import applicable, describe, differences, goal
from engine.storage.house_rules import HouseRules
from engine.tables import Hints, Pace, PublicTable, State

#: Stands for the switches of a form that are either on or off, which share one field.
SWITCHES = "switches"
#: The form that asks for what most tables choose: game, length, pace and computers.
TABLE_FORM, TABLE_TITLE = "table", "Options"
#: The form that asks who may ask for hints, and how deals begin and end.
DEALS_FORM, DEALS_TITLE = "deals", "Hints and deals"
#: What a host switches on there: computers finish a deal, and the board points out who has every point.
EARLY, MOONS = "early", "moons"
#: Who may ask for hints, as the form has it, and as a rule.
MAY_ASK = {Hints.ALONE: "Anyone playing alone", Hints.EVERYBODY: "Everyone", Hints.NOBODY: "Nobody"}
HINTS = {
    Hints.ALONE: "Anyone playing alone with computers may ask for hints.",
    Hints.EVERYBODY: "Everyone may ask for hints, and the table is told.",
    Hints.NOBODY: "Nobody may ask for hints.",
}
#: The other forms: each asks for the options of its topic that the game has.
FORMS = {"cards": "Cards", "tricks": "Tricks", "points": "Points"}
#: Who may ask for hints among other house rules, where it is not as usual.
SAVED_HINTS = {Hints.EVERYBODY: "everyone may ask for hints", Hints.NOBODY: "nobody may ask for hints"}
#: Whether the board helps against moons, as a rule.
POINTS_OUT = {
    True: "The board points out a player who has taken every point so far.",
    False: "The board doesn't point out a player who has taken every point so far.",
}
#: Digits of the largest number that an option takes.
LONGEST_NUMBER = 6
#: Characters of saved rules that a message lists: its text has an end.
LONGEST_LIST = 3500


def rules_page(table: PublicTable, reader: int, wrong: Refusal | None = None) -> Whisper:
    """All rules of a table; below them its host finds what changes them, most of it in the lobby alone.

    With `wrong`, the page says above what they can press why the last try was refused.
    """
    parts = (f"### {table.rules.preset.title}\n**{goal(table.rules, ENGLISH)}.**", in_words(table))
    if not table.is_live or reader != table.host:
        return Whisper((*parts, *_whose_choice(table)))
    forms = (_forms(table), *_computers(table)) if table.state is State.LOBBY else ()
    told = f"⚠️ {sentence(wrong)}" if wrong else "-# You're the host: press what you want to change."
    return Whisper((*parts, told, *forms, (open_or_close(table),)))


def _whose_choice(table: PublicTable) -> Iterator[str]:
    if table.state is State.LOBBY and table.host_name:
        yield f"-# Only {person(table.host_name, table.language)}, the host of this table, can change them."


def in_words(table: PublicTable) -> str:
    """Every rule, a line each."""
    # C3: nobody's age is known here.
    oldest = ["“Oldest” means the oldest Discord account."] if table.rules.oldest_leads else []
    others = [
        *oldest,
        _finishing(table),
        *_pointing_out(table),
        HINTS[table.hints],
        seats_in_words(table),
        _leaving(table),
    ]
    return chipped("\n".join(f"- {line}" for line in [*describe(table.rules, ENGLISH), *others]))


def _finishing(table: PublicTable) -> str:
    if table.finishes_early:
        return "Once all points are taken, the deal finishes itself."
    return "Each deal is played to its last card, even when no points are left in it."


def _pointing_out(table: PublicTable) -> Iterator[str]:
    if table.rules.counting.needed and moons_help(table.rules):
        yield POINTS_OUT[table.points_out_moons]


def _leaving(table: PublicTable) -> str:
    """What becomes of players who are not there at the end (A2, A4)."""
    last = "Players who have left when the game ends come last, whatever their total."
    if table.pace is Pace.NONE:
        return last
    grace = long(table.pace.grace, table.language)
    return f"If your time is up twice in a row, you have {grace} before you count as having left. {last}"


def _forms(table: PublicTable) -> Row:
    asked = {OPTIONS[name].topic for name in applicable(table.rules)}
    return (
        options(table.id),
        Button(DEALS_TITLE, OpenForm(table.id, DEALS_FORM)),
        *(Button(title, OpenForm(table.id, name)) for name, title in FORMS.items() if name in asked),
    )


def options(table: int) -> Button:
    """Opens the first of the host's forms."""
    return Button(TABLE_TITLE, OpenForm(table, TABLE_FORM))


def _computers(table: PublicTable) -> Iterator[Part]:
    """One of each strength can be added; where no seat is free, all can be changed. The last can go."""
    present = frozenset(seat.strength for seat in table.seats if seat.person is None)
    last = (Button("Remove last", RemoveComputer(table.id)),) if present else ()
    if len(table.seats) < table.rules.players:
        yield f"-# {len(table.seats)} of {table.rules.players} seats are taken. Add a computer:"
        yield (*_strengths(AddComputer, table, frozenset()), *last)
    elif present:
        yield "-# All seats are taken. Change all computers:"
        yield (*_strengths(ChangeStrength, table, present), *last)


def _strengths(
    change: type[AddComputer | ChangeStrength], table: PublicTable, present: frozenset[Strength]
) -> Row:
    """A button for each, but for the one that all computers have already."""
    return tuple(
        Button(strength.value.title(), change(table.id, strength), enabled=present != {strength})
        for strength in Strength
    )


def form(table: PublicTable, name: str) -> Form:
    """The form of this name, as the table's rules stand. KeyError if there is none."""
    here = SendForm(table.id, name)
    if name == TABLE_FORM:
        return Form(TABLE_TITLE, tuple(_table_fields(table)), here)
    if name == DEALS_FORM:
        return Form(DEALS_TITLE, tuple(_deals_fields(table)), here)
    return Form(FORMS[name], tuple(_fields(table.rules, name)), here)


def _table_fields(table: PublicTable) -> Iterator[Pick]:
    rules = table.rules
    yield Pick("game", "Game", tuple(_games(rules)), hint="Another game starts with its own usual rules.")
    ignored = "Ignored if you choose another game or number of players."
    yield Pick("length", "Length", tuple(_lengths(table)), hint=ignored)
    paces = tuple(Choice(pace.title, pace.value, chosen=pace is table.pace) for pace in Pace)
    yield Pick("pace", "Pace", paces)
    strengths = tuple(Choice(one.title, one.value, chosen=one is table.strength) for one in Strength)
    yield Pick("computers", "Computers", strengths, hint="A change also applies to those already seated.")


def _lengths(table: PublicTable) -> Iterator[Choice]:
    """The totals to which the game can be played, and how long each should take."""
    for end in lengths.ends(table.rules, len(table.seats.people)):
        label = f"{length(table.pace, end)} (to {ENGLISH.number(end.total)})"
        yield Choice(label, str(end.total), chosen=end.total == table.rules.ends_at)


def length(pace: Pace, end: End) -> str:
    """In minutes, but where somebody may think for hours."""
    if (pace.seconds or AN_HOUR * 2) <= AN_HOUR:
        return spent(end.minutes, ENGLISH)
    return ENGLISH.say_count(max(1, round(end.deals)), "{count} deal", "{count} deals")


def _deals_fields(table: PublicTable) -> Iterator[Pick]:
    yield Pick(SWITCHES, "During a deal", tuple(_switches(table)), many=True)
    hints = tuple(Choice(words, who.value, chosen=who is table.hints) for who, words in MAY_ASK.items())
    yield Pick("hints", "Who may ask for hints", hints)
    if table.rules.oldest_leads:
        yield Pick("first", "Who leads the first deal", tuple(_leaders(table)))


def _games(rules: Ruleset) -> Iterator[Choice]:
    """Every game with every number of players; the goal stands with the first of those that share it."""
    told = ""
    for preset in PRESETS.values():
        for players in preset.players:
            aim = goal(Ruleset.for_preset(preset, players), ENGLISH)
            yield Choice(
                f"{preset.title} · {players} players",
                f"{preset.name}.{players}",
                chosen=(preset, players) == (rules.preset, rules.players),
                hint=None if aim == told else aim,
            )
            told = aim


def _switches(table: PublicTable) -> Iterator[Choice]:
    yield Choice("Finish it as soon as no points are left", EARLY, chosen=table.finishes_early)
    yield Choice("Point out who has taken every point so far", MOONS, chosen=table.points_out_moons)


def _leaders(table: PublicTable) -> Iterator[Choice]:
    """C3: the oldest account leads the first deal, unless somebody is named."""
    yield Choice("the oldest account", "0", chosen=table.first is None)
    for seat in table.seats:
        if seat.person is not None:
            yield Choice(
                plain(seat.name, table.language), str(seat.person), chosen=seat.person == table.first
            )


def _fields(rules: Ruleset, topic: str) -> Iterator[Line | Pick]:
    options = [OPTIONS[name] for name in applicable(rules) if OPTIONS[name].topic == topic]
    if switches := [option for option in options if option.is_switch]:
        choices = tuple(Choice(one.title, one.name, chosen=getattr(rules, one.name)) for one in switches)
        yield Pick(SWITCHES, "Extras", choices, many=True)
    for option in options:
        if option.name == "ends_at":
            yield Line(option.name, option.title, str(rules.ends_at), LONGEST_NUMBER)
        elif not option.is_switch:
            yield _pick(rules, option)


def _pick(rules: Ruleset, option: Option) -> Pick:
    now = rules.all_options[option.name]
    choices = tuple(
        Choice(option.in_words(value), str(value), chosen=value == now)
        for value in allowed_of(rules.preset, rules.players, option.name)
    )
    return Pick(option.name, option.title, choices)


def saved_hints(saved: HouseRules) -> Hints:
    """Who may ask for hints by these house rules; as usual where that is damaged."""
    return next((one for one in Hints if one.value == saved.hints), Hints.ALONE)


def saved_rules(found: Sequence[tuple[str, HouseRules]]) -> Whisper:
    """All house rules that a server has saved."""
    if not found:
        return Whisper(("No house rules are saved here. `/hearts house save` saves a table's rules.",))
    lines: list[str] = []
    for name, saved in found:
        rules, hints = saved.rules, saved_hints(saved)
        told = [*differences(rules, ENGLISH), *([] if hints is Hints.ALONE else [SAVED_HINTS[hints]])]
        words = "; ".join(told) or "the usual rules"
        line = f"**{harmless(name, ENGLISH)}**: {rules.preset.title} for {rules.players}; {words}"
        if len("\n".join((*lines, line))) > LONGEST_LIST:
            break
        lines.append(line)
    more = [f"-# … and {len(found) - len(lines)} more"] if len(lines) < len(found) else []
    return Whisper(("### House rules", "\n".join(lines + more)))
