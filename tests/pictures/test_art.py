"""What is drawn beforehand is what its sources make, and is not changed without a new version."""

import json
from io import BytesIO
from itertools import product
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures import EMOJI_VERSION, FACES, USUAL_CARDS, emoji_name, emojis
from bot.pictures.making.art_files import ART, MANIFEST, hashes, inputs, pictures
from engine.cards import CLUB_JOKER, DECK, WILD_JOKER, Faces

#: The emojis of each version that was ever uploaded anywhere: to change one, add a line. First the cards as
#: they are usually printed, then their other faces.
PUBLISHED = {1: ("7fe129075f71d55d", "00664c3e0e216789")}
#: How far any two of them are apart, as the root mean square of what their pixels differ by, out of 255; and
#: in two colours, where a shape alone tells two suits apart.
LEAST_DIFFERENCE, IN_TWO_COLOURS = 29, 18


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content)).convert("RGBA")


def test_there_is_an_emoji_for_every_card_that_says_its_name() -> None:
    every = product((*DECK, CLUB_JOKER, WILD_JOKER), FACES)
    assert set(emojis()) == {emoji_name(card, faces) for card, faces in every} | {"card_back"}
    assert {"queen_of_spades", "ten_of_hearts", "joker", "ten_of_clubs_black"} < set(emojis())
    assert {"queen_of_diamonds_red_d", "king_of_spades_r"} < set(emojis())
    for name, content in emojis().items():
        assert Image.open(BytesIO(content)).size == (128, 128), name
        assert Image.open(BytesIO(content)).format == "PNG", name
    assert len(set(emojis().values())) == 104
    assert sum(map(len, emojis().values())) < 200_000


def test_an_emoji_changes_only_with_a_new_version() -> None:
    usual, others = sorted(USUAL_CARDS), sorted(emojis().keys() - set(USUAL_CARDS))
    joined = {str(names): b"".join([emojis()[name] for name in names]) for names in (usual, others)}
    assert tuple(hashes(joined)[str(names)] for names in (usual, others)) == PUBLISHED[EMOJI_VERSION]


@pytest.mark.parametrize("faces", FACES)
def test_emojis_differ_where_they_are_20_pixels_wide(faces: Faces) -> None:
    small = [
        opened(emojis()[emoji_name(card, faces)]).convert("RGB").resize((20, 20), Image.Resampling.LANCZOS)
        for card in (*DECK, CLUB_JOKER)
    ]
    least = IN_TWO_COLOURS if faces.two_colours else LEAST_DIFFERENCE
    for index, one in enumerate(small):
        for other in small[:index]:
            assert max(ImageStat.Stat(ImageChops.difference(one, other)).rms) > least


def test_the_art_was_made_of_what_lies_beside_it() -> None:
    manifest = json.loads(MANIFEST.read_text())
    assert manifest["inputs"] == inputs(), "make the art anew: python -m bot.pictures.making"
    files = {
        path.relative_to(ART).as_posix(): path.read_bytes()
        for path in ART.rglob("*")
        if path.is_file() and path != MANIFEST
    }
    assert manifest["made"] == hashes(files)


@pytest.mark.slow
def test_drawing_the_art_anew_gives_the_same_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the seconds in which the sheet of cards is packed as small as can be."""
    save = Image.Image.save

    def save_fast(picture: Image.Image, file: BytesIO, format: str, **options: Any) -> None:
        save(picture, file, format, **options | ({"method": 0, "quality": 0} if format == "WEBP" else {}))

    monkeypatch.setattr(Image.Image, "save", save_fast)
    for name, content in pictures().items():
        difference = ImageChops.difference(opened(content), opened((ART / name).read_bytes()))
        assert max(most for _, most in difference.getextrema()) <= 2, name
