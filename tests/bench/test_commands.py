"""The commands of the benchmarks, as documentation, scripts and Makefile tell them."""

import re
from importlib.util import find_spec

from django.conf import settings

TOLD = [
    *sorted((settings.BASE_DIR / "docs").glob("*.md")),
    *sorted((settings.BASE_DIR / "bench").glob("*.py")),
    settings.BASE_DIR / "README.md",
    settings.BASE_DIR / "Makefile",
]


def test_every_benchmark_is_run_from_the_project_s_folder_as_a_module_that_is_there():
    """By its path it would not find the project's own modules."""
    told = {path: path.read_text("utf-8") for path in TOLD}
    assert not [path for path, text in told.items() if re.search(r"python\S* bench/", text)]
    names = {name for text in told.values() for name in re.findall(r"python\S* -m (bench\.\w+)", text)}
    assert len(names) > 10 and all(find_spec(name) for name in names)
