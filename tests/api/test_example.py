"""The example of the documentation does what it says, from a file of sentences to a release, against a whole
installation: web and worker in processes of their own, people who answer, and the script."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.browser.conftest import Server, server

__all__ = ["server"]  # the fixture

pytestmark = pytest.mark.both

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "docs" / "example.py"
SENTENCES = """\
Every small dog chased some cat in the garden.
No student in this town reads old books.

If a guest arrives late, the cook prepares another dinner.
"""
TOKEN = """
from apps.accounts.models import Scope, User
from apps.people.services import api_token_create
user = User.objects.create_user("rosa@example.org", "correct horse", may_create_studies=True)
print(api_token_create(user=user, name="example", scopes=Scope.values)[1])
"""
PEOPLE = "from tests.api.annotating import answer_until; answer_until(240)"


def test_the_example_makes_a_study_and_downloads_its_release(server: Server, tmp_path: Path) -> None:
    token = server.manage("shell", "--verbosity", "0", "-c", TOKEN).split()[-1]
    (tmp_path / "dogs.txt").write_text(SENTENCES)
    people = subprocess.Popen(
        [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", PEOPLE],
        cwd=ROOT,
        env=server.environment,
    )
    try:
        done = subprocess.run(
            [sys.executable, str(EXAMPLE), "dogs.txt"],
            cwd=tmp_path,
            env={**os.environ, "POLARLAB": server.url, "TOKEN": token, "PAUSE": "0.3"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    finally:
        people.kill()
        people.wait()
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("invite: http") == 4
    written = tmp_path / done.stdout.rpartition("written: ")[2].strip()
    with zipfile.ZipFile(written) as archive:
        assert "MANIFEST.json" in {Path(name).name for name in archive.namelist()}


def test_the_example_is_short_and_needs_nothing_else():
    lines = EXAMPLE.read_text().splitlines()
    code = [line for line in lines if line.strip() and not line.strip().startswith("#")]
    assert len(code) <= 60
    imported = {line.split()[1].partition(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names
