"""Every sentence of the source is translated, whole, into every language."""

import ast
import pickle
import re
from functools import cache
from string import Formatter

import catalogs
import pytest
from babel.messages.catalog import Message

from bot.words.deadlines import short_date
from engine.languages import ENGLISH, LANGUAGES, by_code, by_locale

OTHERS = [code for code in LANGUAGES if code != ENGLISH.code]
#: What a translation leaves as it is: code, commands, links, times; and how often it is bold.
FIXED = re.compile(r"`[^`]*`|<[^>]*>|https?://\S+|(?<!\w)/[a-z]+\b")
source, read = cache(catalogs.source), cache(catalogs.catalog)


def sides(message: Message) -> list[tuple[str, str]]:
    """Each form of the translation beside the English that it is held against: of two, the plural."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string))]
    return [(message.id[-1], said) for said in message.string]


def names(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalog_is_what_the_tool_would_write(code: str) -> None:
    """Nothing is missing that the source says, nothing stands there that it says no more."""
    path = catalogs.FOLDER / f"{code}.po"
    assert path.read_text("utf-8") == catalogs.written(catalogs.updated(code)), (
        "run `python -m tests.catalogs`"
    )


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_is_translated(code: str) -> None:
    assert [message.id for message in catalogs.missing(read(code))] == []
    assert [message.id for message in read(code) if message.fuzzy and message.id] == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_values_of_its_sentence(code: str) -> None:
    """Of two forms, a translation may leave out what either leaves out, and the count."""
    wrong = []
    for message in read(code):
        forms = [message.id] if isinstance(message.id, str) else message.id
        said = [message.string] if isinstance(message.id, str) else message.string
        least = set.intersection(*map(names, forms)) - ({"count"} if len(forms) > 1 else set())
        most = set.union(*map(names, forms))
        wrong += [(message.id, one) for one in said if not least <= names(str(one)) <= most]
    assert wrong == []


def spaced(sentence: str) -> tuple[bool, bool]:
    """Whether it begins and ends with a space."""
    return sentence[:1].isspace(), sentence[-1:].isspace()


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_layout_of_its_sentence(code: str) -> None:
    wrong = []
    for message in read(code):
        for english, said in sides(message) if message.id else ():
            same = sorted(FIXED.findall(english)) == sorted(FIXED.findall(said))
            bold = said.count("**") == english.count("**")
            joins = str(message.context).startswith("between two")
            edges = joins or spaced(english) == spaced(said)
            if not (same and bold and edges and english.count("\n") == said.count("\n")):
                wrong.append((english, said))
    assert wrong == []


def test_no_sentence_is_built_where_it_is_said() -> None:
    """What says or marks a sentence is given a whole one: no f-string, no sum of pieces."""
    built = []
    for module, call, _ in catalogs.marking_calls():
        places = [place for place in catalogs.MARKS[catalogs.called(call)] if place is not None]
        given = [call.args[place] for place in places if place < len(call.args)]
        built += [f"{module}:{call.lineno}" for one in given if isinstance(one, ast.JoinedStr | ast.BinOp)]
    assert built == []


@pytest.mark.parametrize("code", OTHERS)
def test_the_plural_is_chosen_by_number(code: str) -> None:
    language = LANGUAGES[code]
    told = {language.say_count(count, "{count} point", "{count} points") for count in (1, 2, 5)}
    assert all(any(letter.isdigit() for letter in one) for one in told)
    assert len(told) == 3


@pytest.mark.parametrize(
    ("locale", "day", "average"),
    [
        ("en-US", "November 22", "12,345.6"),
        ("en-GB", "22 November", "12,345.6"),
        ("es-ES", "22 de noviembre", "12.345,6"),
        ("es-419", "22 de noviembre", "12,345.6"),
    ],
)
def test_regions_write_dates_and_numbers_in_their_way(locale: str, day: str, average: str) -> None:
    language = by_locale(locale)
    assert short_date("2026-11-22", language) == day
    assert language.grouped(12_345) + language.decimal(0.6)[1:] == average
    assert pickle.loads(pickle.dumps(language)) is language
    assert by_code(language.code) is language


@pytest.mark.parametrize(
    ("locale", "code"),
    [("en-GB", "en-GB"), ("pt-BR", "pt"), ("zh-CN", "zh"), ("zh-TW", "zh-TW"), ("ja", "en"), (None, "en")],
)
def test_a_locale_of_discord_finds_its_language(locale: str | None, code: str) -> None:
    assert by_locale(locale).code == code


def test_a_spanish_list_changes_its_joint_before_its_own_sound() -> None:
    spanish = LANGUAGES["es"]
    assert spanish.listing(["Ana", "**Inés**"]) == "Ana e **Inés**"
    assert spanish.listing(["Ana", "Hielo"]) == "Ana y Hielo"
    assert spanish.either([6, 7, 8]) == "6, 7 u 8"
    assert spanish.either([7, 80]) == "7 u 80"
    assert spanish.either([7, 9]) == "7 o 9"


# How each language is written

#: What ends a sentence, by the sign that English has for it.
ENDS = {"。": ".", "？": "?", "！": "!", "：": ":"}
#: What may stand behind that: ends of quotations and of what is bold, code or in parentheses.
BEHIND = "*_`)} \u202f\u00a0）»”“」』"
#: What is set off in a sentence as what it says, and isn't the button of that name.
NO_BUTTONS = {"Play", "on hold"}
HAN = "[\u3400-\u9fff]"
ARROWS = {"« Start", "End »"}
#: By language, what it never writes.
NEVER = {
    "de": r"”|(?<!„)“(?=\w)|[«»]",
    "es": r"[„«»]",
    "fr": r"[„“”']|(?<!\u202f)[;!?](?!\w)|(?<![\u00a0\d]):(?=\s|$|\*)|«(?!\u202f)|(?<!\u202f)»",
    "pt": r"[„«»]",
    "zh": rf"{HAN}[,.:;!?()]|[,:;!?()]{HAN}|[「」『』]",
    "zh-TW": rf"{HAN}[,.:;!?()]|[,:;!?()]{HAN}|[“”‘’]",
}


def told(code: str) -> list[tuple[Message, str, str]]:
    """Each sentence of this catalog, with its English and its translation, that people read as a sentence."""
    return [
        (message, english, said)
        for message in read(code)
        if message.id and not str(message.context).startswith(("between", "typed"))
        for english, said in sides(message)
        if english not in ARROWS
    ]


def end_of(sentence: str) -> str:
    """The sign at its end, if that ends a sentence."""
    last = sentence.rstrip(BEHIND)[-1:]
    return last if (last := ENDS.get(last, last)) in ".?!:…" else ""


@pytest.mark.parametrize("code", OTHERS)
def test_sentences_end_alike(code: str) -> None:
    """A title may become a question."""
    wrong = [(english, said) for _, english, said in told(code) if end_of(said) != end_of(english)]
    assert [one for one in wrong if end_of(one[0]) or end_of(one[1]) != "?"] == []


@pytest.mark.parametrize("code", OTHERS)
def test_no_two_spaces(code: str) -> None:
    assert [said for _, english, said in told(code) if "  " in said and "  " not in english] == []


@pytest.mark.parametrize("code", OTHERS)
def test_each_language_has_its_own_signs(code: str) -> None:
    """Quotation marks, French spaces and apostrophes, and no half-width signs beside Chinese characters."""
    plain = [(FIXED.sub("", said), said) for _, english, said in told(code) if '"' not in english]
    assert [said for one, said in plain if re.search(rf'{NEVER[code]}|"', one)] == []


def test_spanish_marks_come_in_pairs() -> None:
    pairs = [(said.count("¿"), said.count("?"), said.count("¡"), said.count("!")) for *_, said in told("es")]
    assert [one for one in pairs if one[0] != one[1] or one[2] != one[3]] == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_bold_button_is_called_as_the_button_is(code: str) -> None:
    labels: dict[str, set[str]] = {}
    for message in read(code):
        if isinstance(message.id, str):
            labels.setdefault(message.id, set()).add(f"**{message.string}**")
    wrong = [
        (english, said)
        for _, english, said in told(code)
        for name in re.findall(r"\*\*([^*{}]+)\*\*", english)
        if name in labels and name not in NO_BUTTONS and not any(one in said for one in labels[name])
    ]
    assert wrong == []


def test_sentences_to_several_people_say_so() -> None:
    called = [one for one in source() if isinstance(one.id, str) and re.match(r"\W*\{who\}:", one.id)]
    to_them = [one for one in called if re.search(r"\b(?:you|press)\b", str(one.id), re.IGNORECASE)]
    assert len(to_them) > 4
    assert [one.id for one in to_them if "several" not in " ".join(one.auto_comments)] == []


@pytest.mark.parametrize("code", OTHERS)
def test_private_sentences_call_public_buttons_as_their_reader_sees_them(code: str) -> None:
    language = LANGUAGES[code]
    there, here = language.in_private(ENGLISH), ENGLISH.in_private(language)
    assert language.in_private(language) is language
    buttons, found = language.catalog.public_buttons, 0
    for sentence in [str(one.id) for one in source() if isinstance(one.id, str) and not one.context]:
        for name in buttons.intersection(re.findall(r"\*\*([^*{}]+)\*\*", sentence)):
            found += 1
            assert f"**{name}**" in there.say(sentence)
            assert f"**{language.say_as('for everyone', name)}**" in here.say(sentence)
    assert found > 20
    own = {name for name in buttons if here.say_as("for everyone", name) == name}
    assert own == buttons  # on a private message itself they are in its language
