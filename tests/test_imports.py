"""Imports go one way: workers → apps → natlog, and never in a circle."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# What a house may import of the others (config holds settings, addresses, and what every API shares).
MAY_IMPORT = {
    "natlog": set(),
    "apps": {"natlog", "config"},
    "workers": {"apps", "natlog", "config"},
}
HOUSES = {"natlog", "apps", "workers", "config", "django"}


def modules(house: str) -> list[Path]:
    return sorted(path for path in (ROOT / house).rglob("*.py") if "migrations" not in path.parts)


def imports(path: Path, *, at_start_only: bool = False) -> Iterator[str]:
    """The modules a file imports; ``at_start_only`` leaves out functions' own and what types alone need."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    later = {id(node) for part in ast.walk(tree) if is_not_run_at_start(part) for node in ast.walk(part)}
    for node in ast.walk(tree):
        if at_start_only and id(node) in later:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative imports hide where a module comes from"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("house", MAY_IMPORT)
def test_a_house_imports_only_what_stands_below_it(house):
    allowed = MAY_IMPORT[house] | {house} | ({"django"} if house != "natlog" else set())
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules(house)
        for name in imports(path)
        if name.partition(".")[0] in HOUSES - allowed
    }
    assert found == set()


def test_no_circle_of_imports():
    """Between modules, at import time: a circle works or breaks by the order of loading."""
    files = {module_name(path): path for house in MAY_IMPORT for path in modules(house)}
    graph = {
        name: {other for other in imports(path, at_start_only=True) if other in files and other != name}
        for name, path in files.items()
    }
    assert circle(graph) == []


def test_the_circle_finder_finds_one():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_heavy_libraries_are_imported_inside_functions():
    heavy = {"spacy", "torch", "transformers", "sklearn", "scipy", "numpy", "pyarrow"}
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for house in MAY_IMPORT
        for path in modules(house)
        for name in imports(path, at_start_only=True)
        if name.partition(".")[0] in heavy
    }
    assert found == set()


def is_not_run_at_start(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The first circle there is, its beginning repeated at the end; [] for none."""
    done: set[str] = set()

    def walk(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        for other in sorted(graph[name]):
            found = walk(other, [*path, name])
            if found:
                return found
        done.add(name)
        return []

    return next((found for name in sorted(graph) if (found := walk(name, []))), [])
