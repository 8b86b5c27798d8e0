"""The engine as a library: what `from engine import ...` gives, and the examples of its pages."""

import ast
import doctest
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import engine

FOLDER = Path(str(engine.__file__)).parent
#: The modules with examples.
PAGES = [path for path in sorted(FOLDER.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(FOLDER).as_posix())
def test_the_examples_of_a_page_do_what_they_say(page: Path) -> None:
    parts = page.relative_to(FOLDER.parent).with_suffix("").parts
    module = import_module(".".join(parts).removesuffix(".__init__"))
    failed, tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert tried > 0
    assert failed == 0, "the differences were printed"


def declared() -> dict[str, str]:
    """The module from which a type checker takes each name of the library."""
    tree = ast.parse((FOLDER / "__init__.py").read_text(encoding="utf-8"))
    block = next(one for one in tree.body if isinstance(one, ast.If))
    return {
        alias.name: str(one.module)
        for one in block.body
        if isinstance(one, ast.ImportFrom)
        for alias in one.names
    }


def test_what_a_type_checker_sees_is_what_python_gives() -> None:
    homes = declared()
    assert sorted(homes) == sorted(engine.__all__)
    for name, module in homes.items():
        assert getattr(engine, name) is getattr(import_module(module), name), name


def test_whatever_it_gives_is_listed_and_described() -> None:
    for name in engine.__all__:
        assert name in dir(engine)
        given = getattr(engine, name)
        if inspect.isclass(given) or inspect.isfunction(given):
            assert given.__module__.startswith("engine."), name
            assert inspect.getdoc(given), name


def test_what_it_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'engine' has no attribute 'Pinochle'"):
        engine.Pinochle  # noqa: B018


def loaded_after(statement: str) -> set[str]:
    """The modules that a fresh Python has loaded after this, of other packages the compiler's alone."""
    names = "('engine', 'numba', 'numpy')"
    code = f"import sys; {statement}; print(*[one for one in sys.modules if one.startswith({names})])"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(output.split())


@pytest.mark.slow
def test_what_is_not_asked_for_is_not_loaded() -> None:
    assert loaded_after("from engine import __version__") == {"engine"}
    assert loaded_after("from engine import card") == {"engine", "engine.cards"}
    game = loaded_after("from engine import Ruleset, Game, seat_view, write_record")
    assert not {one for one in game if one.startswith(("engine.players", "engine.storage", "engine.tables"))}
    # The compiler takes half a second and a hundred megabytes; numpy alone takes a tenth of a second.
    heavy = {"numba", "numpy", "engine.kernel"}
    assert not heavy & loaded_after("from engine import Tables, PLAYERS")
    assert not heavy & loaded_after("import bot.__main__, bot.running, bot.client, engine.thinking.answers")
