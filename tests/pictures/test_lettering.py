"""Names of all scripts are written, shortened between two signs, and never spill over."""

import unicodedata
from collections.abc import Iterator

import pytest
from PIL import features
from wcwidth import iter_graphemes

from bot.pictures.lettering import TextLine, fitted, font_letters, line, name_line


def text(found: TextLine | None) -> str:
    return "".join(run.text for run in found.runs)


@pytest.mark.parametrize(
    "name",
    [
        *("Bo Peterson", "Łódź Nguyễn", "Дмитрий", "Ξένια", "x_X--[Ann]", "★ Ann ♥"),
        *("田中さくら", "张伟", "張偉", "김민수", "สมชาย ใจดี", "नमस्ते जी", "Հայկ", "ნინო"),
        *(
            "上一墩 · 花色 × 2。",
            "Farben × 2 ÄÖÜäöüß",
            "¿Qué? ¡Año! ñáéíóúü",
            "ãõáç",
            "Dernière levée çœàâêëîïôùû «»",
        ),
    ],
)
def test_a_name_in_any_of_these_scripts_and_languages_is_written_as_it_is(name: str) -> None:
    assert text(line(name, 36)) == name


def test_words_from_right_to_left_stand_in_the_order_in_which_they_are_read() -> None:
    assert [run.text for run in line("שלום עולם", 36).runs] == ["שלום עולם"]
    assert text(line("محمد علي Ali", 36)).startswith("Ali")
    assert text(line("Ali محمد علي", 36)).startswith("Ali")


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("🎉 Ann 🎉", "Ann"),
        ("👩‍👩‍👧‍👦Gus", "Gus"),
        ("𝓐𝓷𝓷 ⓑⓞ Ｃｙ", "Ann bo Cy"),
        ("1️⃣ One", "1 One"),
        ("A\u200bn\u202en", "Ann"),
        ("  Ann \n Lee ", "Ann Lee"),
        ("e\u0301", "é"),
        ("Z" + "\u0301" * 40, "Ź\u0301\u0301\u0301"),
    ],
)
def test_what_is_no_letter_is_left_out_and_letters_in_disguise_are_plain(name: str, written: str) -> None:
    assert text(line(name, 36)) == written


def charset(codec: str, first: int, last: int) -> str:
    """The signs in these rows of a national character set."""
    pairs = (bytes((row, column)) for row in range(first, last + 1) for column in range(0x40, 0xFF))
    return "".join(sign for pair in pairs if len(sign := pair.decode(codec, "ignore")) == 1)


@pytest.mark.parametrize(
    ("codec", "first", "last", "count"),
    [
        ("gb2312", 0xB0, 0xF7, 6763),
        ("big5", 0xA4, 0xC6, 5401),
        ("big5", 0xC9, 0xF9, 7652),
        ("euc_jp", 0xB0, 0xF4, 6355),
        ("euc_kr", 0xB0, 0xC8, 2350),
    ],
)
def test_every_character_of_these_sets_is_written(codec: str, first: int, last: int, count: int) -> None:
    signs = {sign for sign in charset(codec, first, last) if not sign.isascii()}
    assert len(signs) >= count
    assert not signs.difference(*font_letters().values())


@pytest.mark.parametrize(("name", "written"), [("張偉𠮷", "張偉□"), ("𓀀 Ann", "□ Ann"), ("A𓀀🎉1", "A□1")])
def test_a_letter_that_no_font_has_is_a_box_in_a_name_that_can_be_read(name: str, written: str) -> None:
    assert text(line(name, 36)) == written


@pytest.mark.parametrize("name", ["", "🎉🎉", "\u200b", "𓀀𓀀", "𓀀 ★", "\U0001f1e9\U0001f1ea"])
def test_a_name_that_no_font_has_is_its_seat(name: str) -> None:
    assert line(name, 36) is None
    assert text(name_line(name, "Seat 3", 36, 200)) == "Seat 3"


@pytest.mark.parametrize(
    "name", ["Wolfgang Amadeus", "नमस्ते जी नमस्ते", "e\u0323\u0301" * 20, "محمد علي محمد", "W" * 32]
)
def test_a_long_name_is_cut_between_two_signs(name: str) -> None:
    signs = list(iter_graphemes(unicodedata.normalize("NFC", name)))
    beginnings = {"".join(signs[:count]).rstrip() for count in range(1, len(signs))}
    for most in range(80, 200, 7):
        short = line(name, 36, most)
        assert short.width <= most
        assert text(short).replace("…", "") in beginnings
        assert len(text(short)) == len(text(short).replace("…", "")) + 1


def test_words_that_are_too_wide_are_smaller_before_they_are_cut() -> None:
    whole = fitted("Letzter Stich", 36, 1000)
    smaller = fitted("Letzter Stich", 36, 200)
    least = fitted("Letzter Stich", 36, 100)
    assert (whole.size, text(whole)) == (36, "Letzter Stich")
    assert 24 < smaller.size < 36
    assert (text(smaller), smaller.width <= 200) == ("Letzter Stich", True)
    assert (least.size, text(least)[-1], least.width <= 100) == (24, "…", True)


@pytest.fixture
def without_raqm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Pillow that cannot join letters, as where its wheel is not used."""
    monkeypatch.setattr(features, "check", lambda feature: False)
    font_letters.cache_clear()
    line.cache_clear()
    yield
    monkeypatch.undo()
    font_letters.cache_clear()
    line.cache_clear()


@pytest.mark.usefixtures("without_raqm")
def test_without_what_joins_letters_such_names_are_their_seats() -> None:
    assert text(name_line("محمد", "Seat 2", 36, 200)) == "Seat 2"
    assert text(name_line("नमस्ते", "Seat 2", 36, 200)) == "Seat 2"
    assert text(name_line("田中 Łódź ★", "Seat 2", 36, 300)) == "田中 Łódź ★"
