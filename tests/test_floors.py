"""`lint-imports`, with the contracts of pyproject.toml, finds what is planted in a copy of the house."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("apps", "config", "measures", "natlog", "workers")


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """The sources alone, with the contracts."""
    house = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", house)
    for source in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        target = house / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    return house


@pytest.fixture
def house(copy) -> Iterator[Path]:
    """The copy; what a test puts into files of these names is gone afterwards."""
    yield copy
    for path in copy.rglob("planted*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def broken(house: Path) -> set[str]:
    """The names of the contracts that don't hold."""
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"]
    finished = subprocess.run(command, cwd=house, capture_output=True, text=True, timeout=60)
    lines = finished.stdout.splitlines()
    found = {line.removesuffix(" BROKEN") for line in lines if line.endswith(" BROKEN")}
    assert bool(found) == bool(finished.returncode), finished.stdout + finished.stderr
    return found


def plant(house: Path, modules: dict[str, str]) -> None:
    for name, text in modules.items():
        path = house / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


ROOMS = "A room imports what stands below it"
PARTS = "Processes stand on rooms, rooms on the libraries"
LIBRARIES = "The libraries know no Django"
CIRCLES = "No circle of modules"


def test_the_house_stands(house):
    assert broken(house) == set()


@pytest.mark.parametrize(
    "text",
    [
        "from apps.campaigns.models import Item\n",
        "import apps.campaigns.models\n",
        "def later():\n    from apps.campaigns import models\n    return models\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from apps.campaigns.models import Item\n",
    ],
    ids=["upwards", "by its whole name", "in a function", "for types alone"],
)
def test_an_import_of_a_higher_room_is_found(house, text):
    plant(house, {"apps/studies/planted": text})
    assert ROOMS in broken(house)


def test_a_room_on_no_floor_is_found(house):
    plant(house, {"apps/planted/__init__": ""})
    assert broken(house) == {ROOMS}


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("apps/demo/planted", "config.environment"),
        ("apps/demo/planted", "workers.tasks"),
        ("natlog/planted", "apps.frame.clock"),
        ("natlog/planted", "config.environment"),
        ("natlog/planted", "measures.agreement"),
        ("measures/planted", "apps.frame.clock"),
        ("measures/planted", "natlog.tokens"),
        ("config/planted", "workers.tasks"),
    ],
)
def test_an_import_of_a_higher_part_is_found(house, module, imported):
    plant(house, {module: f"def later():\n    import {imported}\n"})
    assert PARTS in broken(house)


@pytest.mark.parametrize("library", ["natlog", "measures"])
def test_django_in_a_library_is_found(house, library):
    text = "def later():\n    from django.db import models\n    return models\n"
    plant(house, {f"{library}/planted": text})
    assert broken(house) == {LIBRARIES}


@pytest.mark.parametrize("room", ["apps/campaigns", "natlog", "measures", "workers/runtimes"])
def test_a_circle_is_found(house, room):
    package = room.replace("/", ".")
    plant(
        house,
        {
            f"{room}/planted_one": f"from {package} import planted_two\n",
            f"{room}/planted_two": f"def later():\n    import {package}.planted_three\n",
            f"{room}/planted_three": f"from {package}.planted_one import name\n",
        },
    )
    assert broken(house) == {CIRCLES}


def test_no_package_loads_a_module_that_asks_the_package():
    """The contract looks at the modules of a package beside each other, and not at the package's own file."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    circles = {
        (package, module)
        for package in graph.modules
        for module in graph.find_descendants(package)
        if graph.direct_import_exists(importer=module, imported=package)
        and graph.chain_exists(importer=package, imported=module)
    }
    assert circles == set()


def test_make_check_asks():
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ncheck:")[2].partition("\n\n")[0]
    assert "lint-imports" in recipe
