"""All that is made, as the files of `bot/pictures/art`."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from PIL import Image
from resvg_py import svg_to_bytes

from bot.pictures.making import designs
from bot.pictures.making.fonts import fonts

ART = Path(__file__).parent.parent / "art"
MANIFEST = ART / "manifest.json"
_SOURCES = Path(__file__).parent


def rendered(svg: str) -> Image.Image:
    """An SVG file as a picture."""
    return Image.open(BytesIO(svg_to_bytes(svg_string=svg, skip_system_fonts=True))).convert("RGBA")


def pictures() -> dict[str, bytes]:
    """Every file that is drawn, by its name."""
    made = {f"emojis/{name}.png": _png(rendered(svg), 64) for name, svg in designs.emojis().items()}
    made["avatar.png"] = _png(rendered(designs.avatar()), 256)
    made |= {f"signs/{name}.png": _png(rendered(svg), 64) for name, svg in designs.signs().items()}
    made["cards.webp"] = _webp(rendered(designs.sheet()))
    return made


def inputs() -> dict[str, str]:
    """The hash of each source: whether something has to be made anew."""
    sources = [one for one in _SOURCES.rglob("*") if one.suffix in {".py", ".ttf"}]
    sources += [ART.parent / "files.py", ART.parent / "palette.py"]
    return hashes({one.relative_to(ART.parent).as_posix(): one.read_bytes() for one in sources})


def hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    """The hash of each file, whatever its line ends have become on the way out of git."""
    return {
        name: hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:16]
        for name, content in sorted(files.items())
    }


def files() -> dict[str, bytes]:
    """What lies there of what was made, but for the manifest."""
    paths = (path for path in ART.rglob("*") if path.is_file() and path != MANIFEST)
    return {path.relative_to(ART).as_posix(): path.read_bytes() for path in paths}


def write(*, with_fonts: bool) -> None:
    """Replaces what was made before; the fonts only where that is wanted, as they have to be fetched."""
    kept = (
        {}
        if with_fonts
        else {name: content for name, content in files().items() if name.startswith("fonts/")}
    )
    made = pictures() | kept
    if with_fonts:
        made |= {f"fonts/{name}": content for name, content in fonts().items()}
    shutil.rmtree(ART)
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


def _webp(picture: Image.Image) -> bytes:
    file = BytesIO()
    picture.save(file, "WEBP", lossless=True, quality=100, method=6)
    return file.getvalue()
