"""Compose file, image, Makefile, settings and docs/hosts.md say the same, and can't drift apart."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "polarlab"}
DOCKERFILE = (ROOT / "Dockerfile").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()
HOSTS = (ROOT / "docs" / "hosts.md").read_text()
# ${NAME}, ${NAME:-default} and ${NAME:?why}
REFERENCE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
REQUIRED = {"SECRET_KEY": "k" * 30 + "abcdefghij0123456789", "PUBLIC_URL": "https://polarlab.example",
            "POSTGRES_PASSWORD": "letters1digits2"}  # fmt: skip


def names_that_settings_read() -> set[str]:
    """The first argument of every call of config/environment.py's readings in config/settings.py."""
    tree = ast.parse((ROOT / "config" / "settings.py").read_text())
    return {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "env"
        and isinstance(node.args[0], ast.Constant)
    }


def references(value: object) -> dict[str, str]:
    """The variables that part of the file refers to, each with ``-``, ``?`` or nothing."""
    return {match[1]: match[2] or "" for match in REFERENCE.finditer(str(value))}


def resolved(value: object) -> str:
    """A value as Compose would fill it in, with the required variables given and no other."""
    return REFERENCE.sub(lambda match: REQUIRED.get(match[1], match[3] or ""), str(value))


def environment_of(service: str) -> dict[str, str]:
    return {name: resolved(value) for name, value in SERVICES[service]["environment"].items()}


def documented(heading: str) -> set[str]:
    """The names in the first column of the table under a heading of docs/hosts.md."""
    section = re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", HOSTS, re.MULTILINE | re.DOTALL)
    assert section, heading
    return set(re.findall(r"^\| `(\w+)`", section[1], re.MULTILINE))


def test_the_services_are_web_two_workers_beat_postgres_and_redis():
    assert set(SERVICES) == {"setup", "web", "worker", "models", "beat", "postgres", "redis"}
    assert set(OURS) == {"setup", "web", "worker", "models", "beat"}


def test_the_two_workers_differ_in_their_queues_alone_and_leave_none_out():
    from apps.jobs.models import Job

    ours = dict(SERVICES["models"], environment={**environment_of("models"), "POLARLAB_QUEUES": ""})
    assert ours == dict(SERVICES["worker"], environment={**environment_of("worker"), "POLARLAB_QUEUES": ""})
    queues = [environment_of(name)["POLARLAB_QUEUES"] for name in ("worker", "models")]
    assert sorted(queues) == sorted(Job.Queue.values)


@pytest.mark.parametrize("service", sorted(OURS))
def test_every_variable_of_ours_is_one_that_the_settings_read(service):
    assert set(OURS[service]["environment"]) - names_that_settings_read() == set()


@pytest.mark.parametrize("service", sorted(OURS))
def test_the_settings_accept_the_environment_for_production(service, tmp_path):
    environment = {**environment_of(service), "POLARLAB_VAR": str(tmp_path), "PATH": os.environ["PATH"]}
    result = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr


def test_secrets_have_no_default():
    whole = (ROOT / "docker-compose.yml").read_text()
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "PUBLIC_URL"):
        kinds = {match[2] for match in REFERENCE.finditer(whole) if match[1] == name}
        assert kinds == {"?"}, name


def test_database_and_broker_are_the_services_beside():
    environment = environment_of("web")
    postgres = SERVICES["postgres"]["environment"]
    assert environment["DATABASE_URL"] == (
        f"postgres://{postgres['POSTGRES_USER']}:{REQUIRED['POSTGRES_PASSWORD']}@postgres:5432/{postgres['POSTGRES_DB']}"
    )
    assert environment["REDIS_URL"].startswith("redis://redis:6379/")


@pytest.mark.parametrize("service", sorted(set(SERVICES) - {"setup"}))
def test_every_service_that_stays_has_a_health_check(service):
    assert SERVICES[service]["healthcheck"]["test"][0] == "CMD"


def test_the_others_wait_for_tables_and_static_files():
    assert "migrate" in SERVICES["setup"]["command"][-1]
    assert "collectstatic" in SERVICES["setup"]["command"][-1]
    for name in ("web", "worker", "models", "beat"):
        assert SERVICES[name]["depends_on"]["setup"]["condition"] == "service_completed_successfully"


def test_files_are_shared_between_web_and_worker():
    folder = environment_of("web")["POLARLAB_VAR"]
    for name in OURS:
        assert SERVICES[name]["volumes"] == [f"polarlab:{folder}"]
    assert f"POLARLAB_VAR={folder}" in DOCKERFILE
    assert f"VOLUME {folder}\n" in DOCKERFILE
    assert "polarlab" in COMPOSE["volumes"]


def test_the_port_is_the_makefiles():
    (port,) = re.findall(r"^PORT \?= (\d+)$", MAKEFILE, re.MULTILINE)
    assert SERVICES["web"]["ports"] == [f"127.0.0.1:${{PORT:-{port}}}:{port}"]
    assert f"0.0.0.0:{port}" in SERVICES["web"]["command"]
    assert f"EXPOSE {port}\n" in DOCKERFILE


def test_web_worker_and_beat_run_what_start_runs(monkeypatch):
    """``manage.py start`` (and so ``make demo``) and the containers differ in addresses alone."""
    from apps.jobs.management.commands import start

    commands: dict[str, list[str]] = {}

    class AllStarted(Exception):
        pass

    def note(part: start.Part) -> None:
        commands[part.name] = part.command
        if len(commands) == 3:
            raise AllStarted

    monkeypatch.setattr(start.Part, "start", note)
    monkeypatch.setattr(start.signal, "signal", lambda *arguments: None)
    monkeypatch.setattr(start, "_refuse_taken_port", lambda *arguments: None)
    with pytest.raises(AllStarted):
        start.Command().handle(port=8000, address="127.0.0.1")
    for part, service in {"web": "web", "worker": "worker", "sweeper": "beat"}.items():
        python, dash_m, *rest = commands[part]
        assert (python, dash_m) == (sys.executable, "-m")
        container = SERVICES[service]["command"]
        assert without_local(rest) == without_local(container), part


def without_local(command: list[str]) -> set[str]:
    """The words of a command that must agree: program, application, number of web processes."""
    local = {
        "--graceful-timeout",
        "3",
        "--quiet",
        "--without-gossip",
        "--without-mingle",
        "--worker-tmp-dir",
        "/dev/shm",
        "--no-control-socket",
    }
    words = [word for word in command if word not in local and not re.fullmatch(r"[\d.]+:\d+", word)]
    levels = {index for index, word in enumerate(words) if word in ("--log-level", "--loglevel")}
    return {word for index, word in enumerate(words) if index not in levels and index - 1 not in levels}


def test_the_image_starts_the_same_server_as_compose():
    (line,) = re.findall(r"^CMD (\[.*?\])$", DOCKERFILE, re.MULTILINE | re.DOTALL)
    assert ast.literal_eval(line.replace("\\\n", "")) == SERVICES["web"]["command"]


def test_the_image_installs_the_lock_with_hashes_as_make_setup_does():
    for flag in ("--require-hashes", "--only-binary :all:"):
        assert flag in DOCKERFILE
        assert flag in MAKEFILE
    assert "-r requirements/base.txt" in DOCKERFILE.replace("\\\n", " ")


def test_the_image_runs_as_nobody_in_particular():
    instructions = re.findall(r"^(USER|CMD) (.*)$", DOCKERFILE, re.MULTILINE)
    assert instructions[0] == ("USER", "polarlab")


def test_what_the_image_copies_is_in_the_repository_and_nothing_else_is():
    """``COPY . .`` takes what .dockerignore lets through."""
    assert re.findall(r"^COPY (\S+) ", DOCKERFILE, re.MULTILINE) == ["requirements/base.txt", "."]
    first, *ignored = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line[0] != "#"]
    assert first == "*"
    sources = [line[1:] for line in ignored if line.startswith("!")]
    for source in sources:
        tracked = subprocess.run(
            ["git", "ls-files", source], cwd=ROOT, capture_output=True, text=True
        ).stdout.split()
        assert tracked or not (ROOT / ".git").exists(), f"{source} would be missing from a fresh clone"
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "bench"}
    assert packages | {"manage.py", "requirements/base.txt", "static", "templates", "locale"} <= set(sources)


def test_make_check_validates_the_compose_file():
    assert "check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml" in MAKEFILE


def test_docs_list_every_variable_that_the_settings_read():
    assert documented("Variables") == names_that_settings_read()


def test_docs_list_what_compose_asks_for():
    assert (
        documented("Variables of the Compose file") == set(references(COMPOSE)) - names_that_settings_read()
    )
