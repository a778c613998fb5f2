"""A web process starts and serves pages without the heavy libraries."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Starts the WSGI application as gunicorn does, asks for two pages, and prints what was loaded.
SCRIPT = """
import sys
from io import BytesIO
from config.wsgi import application
from django.core.management import call_command

call_command("migrate", verbosity=0)
for path in sys.argv[1:]:
    statuses = []
    body = application(
        {"REQUEST_METHOD": "GET", "PATH_INFO": path, "SERVER_NAME": "localhost", "SERVER_PORT": "80",
         "HTTP_HOST": "localhost", "wsgi.url_scheme": "http", "wsgi.input": BytesIO()},
        lambda status, headers: statuses.append(status),
    )
    print("page", path, statuses[0], len(b"".join(body)) > 0)
print("modules", *sorted({name.partition(".")[0] for name in sys.modules}))
"""
HEAVY = {
    "spacy",
    "thinc",
    "torch",
    "transformers",
    "sklearn",
    "scipy",
    "numpy",
    "pandas",
    "pyarrow",
    "z3",
    "onnxruntime",
    "tokenizers",
}


def lines_of(script: str, *arguments: str, var: Path) -> list[list[str]]:
    environment = {
        name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")
    }
    finished = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        env={**environment, "POLARLAB_VAR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert finished.returncode == 0, finished.stderr
    return [line.split() for line in finished.stdout.splitlines()]


def test_the_web_process_loads_nothing_heavy(tmp_path):
    *pages, modules = lines_of(SCRIPT, "/health/", "/sign-in/", var=tmp_path)
    assert pages == [["page", "/health/", "200", "OK", "True"], ["page", "/sign-in/", "200", "OK", "True"]]
    assert "django" in modules
    assert HEAVY & set(modules) == set()


def test_the_worker_knows_every_kind_of_work_without_loading_anything_heavy(tmp_path):
    script = """
import django, sys
django.setup()
import workers.tasks
from apps.jobs.kinds import kind_named
print("kind", type(kind_named("inference.run")).__name__)
print("modules", *sorted({name.partition(".")[0] for name in sys.modules}))
"""
    kind, modules = lines_of(script, var=tmp_path)
    assert kind == ["kind", "RunModel"]
    assert HEAVY & set(modules) == set()


def test_no_module_loads_anything_heavy(tmp_path):
    """All modules, one by one: those of commands and of models' runtimes, too. Networks' files alone may."""
    script = """
import importlib, pkgutil, sys
import django
django.setup()
import apps, config, measures, natlog, workers
for package in (apps, config, measures, natlog, workers):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        # A network is a torch module: who builds one imports its file by name.
        if module.name.rpartition(".")[2] not in ("__main__", "asgi", "wsgi") and not module.name.startswith(
            "workers.networks."
        ):
            importlib.import_module(module.name)
print("modules", *sorted({name.partition(".")[0] for name in sys.modules}))
"""
    ((_word, *modules),) = lines_of(script, var=tmp_path)
    assert {"apps", "config", "measures", "natlog", "workers"} <= set(modules)
    assert HEAVY & set(modules) == set()


@pytest.mark.parametrize("library", ["natlog", "measures"])
def test_a_library_imports_no_django(library, tmp_path):
    """All of its modules, one by one."""
    script = """
import importlib, pkgutil, sys
library = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(library.__path__, sys.argv[1] + "."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print("modules", *sorted({name.partition(".")[0] for name in sys.modules}))
"""
    ((_word, *modules),) = lines_of(script, library, var=tmp_path)
    assert library in modules
    assert {"django", "apps", "config", "workers", *HEAVY} & set(modules) == set()
