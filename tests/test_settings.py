"""The settings in a process of their own, as a server reads them: what is refused, what is the default."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PRODUCTION = {
    "POLARLAB_ENV": "production",
    "SECRET_KEY": "a-long-random-string-for-this-test-alone-0123456789-abcdefghijkl",
    "PUBLIC_URL": "https://polarlab.example",
}
SHOWN = """
import json
from django.conf import settings
print(json.dumps({
    "engine": settings.DATABASES["default"]["ENGINE"], "name": str(settings.DATABASES["default"]["NAME"]),
    "host": settings.DATABASES["default"].get("HOST", ""),
    "password": settings.DATABASES["default"].get("PASSWORD", ""),
    "broker": settings.CELERY_BROKER_URL, "debug": settings.DEBUG, "hosts": settings.ALLOWED_HOSTS,
    "key": settings.SECRET_KEY, "secure": settings.SESSION_COOKIE_SECURE and settings.CSRF_COOKIE_SECURE,
    "https": settings.SECURE_SSL_REDIRECT, "origins": settings.CSRF_TRUSTED_ORIGINS,
    "prefix": settings.FORCE_SCRIPT_NAME, "public": settings.PUBLIC_URL,
    "cookie_paths": [
        settings.SESSION_COOKIE_PATH, settings.CSRF_COOKIE_PATH, settings.LANGUAGE_COOKIE_PATH,
    ],
    "hsts": [
        settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.SECURE_HSTS_PRELOAD,
    ],
}))
"""


@pytest.fixture
def python(tmp_path):
    """Run Python on the checkout with these variables of the product's and no others."""

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        environment = {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "POLARLAB_VAR": str(tmp_path / "var"),
            **kept,
            **variables,
        }
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )

    return run


def shown(result: subprocess.CompletedProcess[str]) -> dict[str, object]:
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"SECRET_KEY": ""}, "polarlab: SECRET_KEY is missing; set it to a long random string."),
        ({"DEBUG": "1"}, "polarlab: DEBUG is on in production; unset DEBUG."),
        (
            {"PUBLIC_URL": ""},
            "polarlab: PUBLIC_URL is missing; set it to this server's address, such as "
            "https://polarlab.example.org.",
        ),
    ],
    ids=["no key", "debug", "no address"],
)
@pytest.mark.parametrize(
    "command", [("manage.py", "check"), ("-c", "import config.wsgi")], ids=["manage", "wsgi"]
)
def test_production_ends_with_one_line_that_says_what_to_set(python, command, wrong, message):
    result = python(*command, **{**PRODUCTION, **wrong})
    assert result.returncode == 1
    assert result.stderr.splitlines() == [message]
    assert result.stdout == ""


def test_production_starts_with_key_and_hosts(python):
    settings = shown(python("-c", SHOWN, **PRODUCTION))
    assert settings["hosts"] == ["polarlab.example"]
    assert settings["debug"] is False
    assert settings["secure"] is True
    assert settings["https"] is True


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("DATABASE_URL", "mysql://localhost/polarlab", "DATABASE_URL: set it to postgres://… or sqlite:///…"),
        ("DATABASE_URL", "postgres://db:port/lab", "DATABASE_URL: the port is not a number"),
        ("DEBUG", "maybe", "DEBUG='maybe': set it to 1 or 0."),
        ("PUBLIC_URL", "lab.example.org", "PUBLIC_URL='lab.example.org': write it like https://"),
        ("PUBLIC_URL", "https://lab.example.org/?a=1", "leave out everything from ? or # on."),
        ("PUBLIC_URL", "https://lab.example.org/a b/", "use plain letters, digits, - and _ in the path."),
        ("PUBLIC_URL", "https://lab.example.org/a%20b", "use plain letters, digits, - and _ in the path."),
        (
            "CSRF_TRUSTED_ORIGINS",
            "https://lab.example.org/",
            "CSRF_TRUSTED_ORIGINS: write https://lab.example.org instead of https://lab.example.org/ "
            "(nothing after the host).",
        ),
        ("CSRF_TRUSTED_ORIGINS", "lab.example.org", "CSRF_TRUSTED_ORIGINS='lab.example.org': write it like"),
        ("POLARLAB_SWEEP_SECONDS", "soon", "POLARLAB_SWEEP_SECONDS='soon': set it to a whole number."),
    ],
)
def test_a_wrong_value_is_named_with_what_to_set(python, name, value, advice):
    result = python("manage.py", "check", **{name: value})
    assert result.returncode != 0
    assert advice in result.stderr.splitlines()[-1]


def test_the_public_address_says_host_origin_and_path(python):
    settings = shown(
        python("-c", SHOWN, **PRODUCTION | {"PUBLIC_URL": "https://lab.example.org:8443//polarlab/"})
    )
    assert settings["hosts"] == ["lab.example.org"]
    assert settings["origins"] == ["https://lab.example.org:8443"]
    assert settings["prefix"] == "/polarlab"
    assert settings["cookie_paths"] == ["/polarlab/"] * 3
    assert settings["public"] == "https://lab.example.org:8443/polarlab"


def test_strict_transport_security_binds_this_host_alone_unless_asked(python):
    settings = shown(python("-c", SHOWN, **PRODUCTION))
    assert settings["hsts"] == [365 * 24 * 3600, False, False]
    asked = {"HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"}
    assert shown(python("-c", SHOWN, **PRODUCTION, **asked))["hsts"] == [365 * 24 * 3600, True, True]


def test_with_nothing_set_it_is_sqlite_and_files_in_one_folder(python, tmp_path):
    settings = shown(python("-c", SHOWN))
    assert settings["engine"] == "django.db.backends.sqlite3"
    assert settings["name"] == str(tmp_path / "var" / "polarlab.sqlite3")
    assert settings["broker"] == "files://localhost"
    assert settings["debug"] is False
    assert settings["hosts"] == ["localhost", "127.0.0.1", "[::1]"]
    assert settings["https"] is False


def test_two_addresses_move_it_to_postgresql_and_redis(python):
    settings = shown(
        python(
            "-c",
            SHOWN,
            DATABASE_URL="postgres://polarlab:p%40ss@db.example:5433/lab",
            REDIS_URL="redis://redis.example:6379/1",
        )
    )
    assert settings["engine"] == "django.db.backends.postgresql"
    assert (settings["host"], settings["name"], settings["password"]) == ("db.example", "lab", "p@ss")
    assert settings["broker"] == "redis://redis.example:6379/1"


def test_an_installation_makes_its_own_key_once_for_its_owner_alone(python, tmp_path):
    first, second = shown(python("-c", SHOWN))["key"], shown(python("-c", SHOWN))["key"]
    assert first == second
    assert len(str(first)) >= 50
    file = tmp_path / "var" / "secret_key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text() == first


def test_the_web_process_loads_no_parser_and_no_learning_library(python):
    heavy = ["spacy", "sklearn", "torch", "transformers", "scipy"]
    code = (
        "import sys, config.wsgi\n"
        "from django.urls import get_resolver\n"
        "get_resolver().url_patterns\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    result = python("-c", code)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[]"
