"""All that is made, as the files of `bot/pictures/art`."""

from __future__ import annotations

import hashlib
import json
from io import BytesIO
from pathlib import Path

from PIL import Image
from resvg_py import svg_to_bytes

from bot.pictures.making import avatar, emojis

ART = Path(__file__).parent.parent / "art"
MANIFEST = ART / "manifest.json"
_SOURCES = Path(__file__).parent


def rendered(svg: str) -> Image.Image:
    """An SVG file as a picture."""
    return Image.open(BytesIO(svg_to_bytes(svg_string=svg, skip_system_fonts=True))).convert("RGBA")


def pictures() -> dict[str, bytes]:
    """Every file that is drawn, by its name."""
    made = {f"emojis/{name}.png": _png(rendered(svg), 64) for name, svg in emojis.emojis().items()}
    made["avatar.png"] = _png(rendered(avatar.avatar()), 256)
    return made


def inputs() -> dict[str, str]:
    """What the art is made of: the hash of each source, which tells whether it has to be made anew."""
    sources = sorted(one for one in _SOURCES.rglob("*") if one.suffix in {".py", ".ttf"})
    return {one.relative_to(_SOURCES).as_posix(): _hash(one.read_bytes()) for one in sources}


def hashes(files: dict[str, bytes]) -> dict[str, str]:
    """The hash of each file."""
    return {name: _hash(content) for name, content in sorted(files.items())}


def write() -> None:
    """Replaces what was made before."""
    made = pictures()
    for name, content in made.items():
        path = ART / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    MANIFEST.write_text(json.dumps({"inputs": inputs(), "made": hashes(made)}, indent=1) + "\n")


def _png(picture: Image.Image, colours: int) -> bytes:
    file = BytesIO()
    few = picture.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(file, "PNG", optimize=True)
    return file.getvalue()


def _hash(content: bytes) -> str:
    # Line ends may have been changed on the way out of git.
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:16]
