"""The fonts for names, each reduced to the characters that names use.

They come from Fontsource's npm packages and, as its Chinese fonts lack characters, from Expo's for Chinese.
All are under the SIL Open Font License. Its text, with every copyright notice, is stored beside the fonts.
"""

from __future__ import annotations

import json
import subprocess
import tarfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

VERSION, EXPO = "5.3.0", "0.4.3"
WEIGHT = 700
#: A fixed time in seconds since 1904, so that the fonts are equal whenever they are made.
LONG_AGO = 3_786_825_600
#: Inter's files, each with some scripts; they are merged so that accents and kerning work across them.
INTER = ("latin", "latin-ext", "greek", "greek-ext", "cyrillic", "cyrillic-ext", "vietnamese")
#: Noto's packages by their script, and the file in each that has its letters.
SCRIPTS = {
    "arabic": "arabic",
    "armenian": "armenian",
    "devanagari": "devanagari",
    "georgian": "georgian",
    "hebrew": "hebrew",
    "thai": "thai",
    "symbols-2": "symbols",
    "kr": "korean",
}
#: OpenType's features that place accents, join letters and build syllables.
SHAPING = (
    *("kern", "mark", "mkmk", "ccmp", "locl", "liga", "rlig", "calt"),
    *("init", "medi", "fina", "isol", "curs"),
    *("nukt", "akhn", "rphf", "rkrf", "blwf", "half", "vatu", "cjct"),
    *("pres", "abvs", "blws", "psts", "haln", "dist", "abvm", "blwm"),
)


def _charset(codec: str, first: int, last: int) -> list[str]:
    """The characters in these rows of a national character set."""
    pairs = (bytes((row, column)) for row in range(first, last + 1) for column in range(0x40, 0xFF))
    signs = (pair.decode(codec, "ignore") for pair in pairs)
    return [sign for sign in signs if len(sign) == 1 and not sign.isascii()]


#: The characters that stay in large fonts: those of mainland China, of Taiwan and Hong Kong, and of Japan
#: with its kana; all Korean syllables; suits and stars.
COMMON = {
    "sc": {
        *_charset("gb2312", 0xB0, 0xF7),
        *_charset("big5", 0xA4, 0xF9),
        *_charset("euc_jp", 0xA4, 0xA5),
        *_charset("euc_jp", 0xB0, 0xF4),
        *"ー・、。々",
    },
    "kr": [chr(sign) for sign in range(0xAC00, 0xD7A4)],
    "symbols-2": [*map(chr, range(0x25A0, 0x27C0))],
}


def fonts() -> dict[str, bytes]:
    """Every font by its file name, the letters in each, and the licence. Needs npm and a network."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        inter = _package(f"@fontsource/inter@{VERSION}", folder)
        files = {_name("Inter"): _cut(_merged([_file(inter, "inter", part) for part in INTER], folder))}
        licences = [_licence(inter / "LICENSE")]
        for script, part in SCRIPTS.items():
            family = f"noto-sans-{script}"
            package = _package(f"@fontsource/{family}@{VERSION}", folder)
            files[_name(family)] = _cut(_file(package, family, part), COMMON.get(script))
            licences.append(_licence(package / "LICENSE"))
        chinese = _package(f"@expo-google-fonts/noto-sans-sc@{EXPO}", folder)
        whole = chinese / f"{WEIGHT}Bold" / f"NotoSansSC_{WEIGHT}Bold.ttf"
        files[_name("noto-sans-sc")] = _cut(whole, COMMON["sc"])
        licences.append(_licence(chinese / "LICENSE_FONT"))
    notices = "".join(f"{name}: {notice}\n" for name, (notice, _) in zip(files, licences, strict=True))
    covered = {
        name: "".join(map(chr, sorted(TTFont(BytesIO(font)).getBestCmap()))) for name, font in files.items()
    }
    letters = json.dumps(covered, ensure_ascii=False, indent=1).encode()
    return files | {"OFL.txt": (notices + licences[0][1]).encode(), "letters.json": letters}


def _package(name: str, folder: Path) -> Path:
    """Fetch and unpack an npm package; returns its folder."""
    command = ["npm", "pack", "--silent", name]
    packed = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
    with tarfile.open(folder / packed) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    return (folder / "unpacked" / "package").rename(folder / packed.removesuffix(".tgz"))


def _file(package: Path, family: str, part: str) -> Path:
    weight = WEIGHT if (package / "files" / f"{family}-{part}-{WEIGHT}-normal.woff2").exists() else 400
    return package / "files" / f"{family}-{part}-{weight}-normal.woff2"


def _name(family: str) -> str:
    """A font's file name. Large fonts aren't compressed, as FreeType would unpack them for each text size."""
    return f"{family}.{'ttf' if family.removeprefix('noto-sans-') in COMMON else 'woff2'}"


def _merged(parts: Iterable[Path], folder: Path) -> Path:
    plain = []
    for part in parts:
        font = TTFont(part)
        font.flavor = None  # the merger needs uncompressed files
        plain.append(str(folder / part.with_suffix(".ttf").name))
        font.save(plain[-1])
    whole = folder / "merged.ttf"
    Merger().merge(plain).save(whole)
    return whole


def _cut(path: Path, letters: Iterable[str] | None = None) -> bytes:
    """Reduce a font to these letters without shaping; without `letters`, keep all and what shapes them."""
    font = TTFont(path, recalcTimestamp=False)
    font["head"].created = font["head"].modified = LONG_AGO
    options = Options(hinting=False, notdef_outline=True)
    options.layout_features = [] if letters else [*SHAPING]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[*map(ord, letters)] if letters else [*font.getBestCmap()])
    subsetter.subset(font)
    font.flavor = None if letters else "woff2"
    cut = path.with_suffix(".cut")
    font.save(cut)
    return cut.read_bytes()


def _licence(path: Path) -> tuple[str, str]:
    """Split a licence file into its copyright notice and the text after it."""
    notice, text = path.read_text().split("\n", 1)
    return notice, text
