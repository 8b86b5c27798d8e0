"""Renders the designs into the files of `bot/pictures/art`, and notes their sources in a manifest."""

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
    """Render an SVG file."""
    return Image.open(BytesIO(svg_to_bytes(svg_string=svg, skip_system_fonts=True))).convert("RGBA")


def pictures() -> dict[str, bytes]:
    """Every art file that is rendered from a design, by its name."""
    images = {f"emojis/{name}.png": _png(rendered(svg), 64) for name, svg in designs.emojis().items()}
    images["avatar.png"] = _png(rendered(designs.avatar()), 256)
    images |= {f"signs/{name}.png": _png(rendered(svg), 64) for name, svg in designs.signs().items()}
    images["cards.webp"] = _webp(rendered(designs.sheet()))
    return images


def inputs() -> dict[str, str]:
    """The hash of each source file, which tells whether the art is out of date."""
    sources = [path for path in _SOURCES.rglob("*") if path.suffix in {".py", ".ttf"}]
    sources += [ART.parent / "files.py", ART.parent / "palette.py"]
    return hashes({path.relative_to(ART.parent).as_posix(): path.read_bytes() for path in sources})


def hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    """The hash of each file, regardless of the line ends that git may have changed."""
    return {
        name: hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:16]
        for name, content in sorted(files.items())
    }


def files() -> dict[str, bytes]:
    """The existing art files by their names, without the manifest."""
    paths = (path for path in ART.rglob("*") if path.is_file() and path != MANIFEST)
    return {path.relative_to(ART).as_posix(): path.read_bytes() for path in paths}


def write(*, with_fonts: bool) -> None:
    """Replace the art files; the fonts only `with_fonts`, as they have to be fetched."""
    old_fonts = (
        {}
        if with_fonts
        else {name: content for name, content in files().items() if name.startswith("fonts/")}
    )
    contents = pictures() | old_fonts
    if with_fonts:
        contents |= {f"fonts/{name}": content for name, content in fonts().items()}
    shutil.rmtree(ART)
    for name, content in contents.items():
        path = ART / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    MANIFEST.write_text(json.dumps({"inputs": inputs(), "made": hashes(contents)}, indent=1) + "\n")


def _png(picture: Image.Image, colours: int) -> bytes:
    file = BytesIO()
    reduced = picture.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    reduced.save(file, "PNG", optimize=True)
    return file.getvalue()


def _webp(picture: Image.Image) -> bytes:
    file = BytesIO()
    picture.save(file, "WEBP", lossless=True, quality=100, method=6)
    return file.getvalue()
