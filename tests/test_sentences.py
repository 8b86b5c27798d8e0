"""What is refused: an id and values where it is raised, a sentence where it is shown."""

import ast
import re
from functools import cache
from itertools import chain
from pathlib import Path
from string import Formatter

import pytest
from catalogs import called, source

from bot.answering.refusals import SENTENCES, refused, sentence
from engine import sentences
from engine.cards import Suit, card
from engine.errors import Refusal
from engine.languages import ENGLISH
from engine.rules.plays import RESTRICTIONS
from engine.rules.presets import CLASSIC

ROOT = Path(__file__).parent.parent
ENGINE, BOT = sorted((ROOT / "engine").rglob("*.py")), sorted((ROOT / "bot").rglob("*.py"))
#: What a sentence of the engine says nothing of.
DISCORD = re.compile(
    r"/(hearts|help|stats|leaderboard|privacy)\b|\b(Discord|DMs?|accounts?|channels?|servers?|threads?|"
    r"buttons?|press(es)?|clicks?|messages?|My hand|I'm back|Join|Leave|Start|Rematch)\b"
)
#: What makes words out of values, which is not for who refuses to do.
WORDING = ("either", "quote", "in_words", "join", "format", "str")


@cache
def refusals(path: Path) -> list[tuple[str, ast.Call]]:
    """Where this module refuses something, and the call that does it."""
    if "Refusal" not in (text := path.read_text()):
        return []
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [(f"{path.relative_to(ROOT)}:{one.lineno}", one) for one in calls if called(one) == "Refusal"]


def ids(node: ast.AST) -> list[str]:
    """The ids that this expression can be."""
    if isinstance(node, ast.IfExp):
        return [*ids(node.body), *ids(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) else []


def raised(paths: list[Path]) -> dict[str, list[tuple[str, ast.Call]]]:
    """By its id, where each refusal is made."""
    found: dict[str, list[tuple[str, ast.Call]]] = {}
    for where, call in chain.from_iterable(map(refusals, paths)):
        for id in ids(call.args[0]):
            found.setdefault(id, []).append((where, call))
    return found


#: Refused by a name that is made elsewhere: a restriction's, or what a file that fails is asked for.
INDIRECT = {*(one.__name__ for one in RESTRICTIONS), "safe_from_scoring", "cannot_save", "cannot_read"}


@pytest.mark.slow
def test_whatever_is_refused_has_its_sentence_and_every_sentence_its_refusal() -> None:
    assert set(raised([*ENGINE, *BOT])) | INDIRECT == set(SENTENCES)


def test_whatever_the_rules_refuse_has_a_sentence_for_who_reads_a_record() -> None:
    rules = [path for path in ENGINE if path.parent.name in ("rules", "play")]
    assert set(raised(rules)) | INDIRECT - {"cannot_save", "cannot_read"} == set(sentences.SENTENCES)


@pytest.mark.parametrize("table", [SENTENCES, sentences.SENTENCES], ids=["bot", "engine"])
def test_a_refusal_carries_what_its_sentence_needs(table: dict[str, str]) -> None:
    for id, calls in raised([*ENGINE, *BOT]).items():
        needed = {name for _, name, *_ in Formatter().parse(table.get(id, "")) if name}
        for where, call in calls:
            assert needed <= {one.arg for one in call.keywords}, where


def test_a_refusal_carries_values_and_no_words() -> None:
    for where, call in chain.from_iterable(map(refusals, [*ENGINE, *BOT])):
        for keyword in call.keywords:
            for node in ast.walk(keyword.value):
                assert not isinstance(node, ast.JoinedStr), where
                assert not isinstance(node, ast.Call) or called(node) not in WORDING, where
                assert getattr(node, "attr", None) != "title", where
                text = node.value if isinstance(node, ast.Constant) else None
                assert not (isinstance(text, str) and " " in text), where


def test_no_sentence_of_the_engine_speaks_of_discord() -> None:
    marked = [one for one in source() if any(place.startswith("engine/") for place, _ in one.locations)]
    said = [text for one in marked for text in ([one.id] if isinstance(one.id, str) else one.id)]
    assert len(said) > 100
    assert [text for text in said if DISCORD.search(text)] == []


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        (Refusal("not_held", card=card("QS")), "You don't hold the queen of spades."),
        (Refusal("follow_suit", suit=Suit.CLUBS), "You have clubs, so you must follow suit."),
        (Refusal("players", game=CLASSIC, players=(4,), given=5), "Hearts is for 4 players, not 5."),
        (
            Refusal("option_value", option="winner", given="me", allowed=("lowest", "highest")),
            '“Who wins” must be lowest or highest, not "me".',
        ),
    ],
)
def test_values_in_words(refusal: Refusal, said: str) -> None:
    assert sentence(refusal, ENGLISH) == said


def test_a_refusal_is_a_sentence_where_the_rules_refuse_and_else_its_id() -> None:
    assert str(Refusal("not_held", card=card("TC"))) == "You don't hold the ten of clubs."
    assert str(Refusal("host_only", host="Ann")) == "host_only"


@pytest.mark.parametrize("given", [{"a": [1]}, "x" * 100, float("nan"), None, "“", {1, 2}, 10**100])
def test_whatever_somebody_gives_can_be_said(given: object) -> None:
    refusal = Refusal("no_such_option", given=given)
    assert 29 < len(str(refusal)) < 110
    assert refused(refusal, ENGLISH).parts
