"""Fetching a model from a hub: weights as safetensors, the tokenizer, the configuration. No code, no pickles.

Through the one door of all that goes out (``apps/frame/outbound``), in ranges of a few megabytes, so that a
killed worker goes on where the file ends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

from django.conf import settings
from django.utils.translation import gettext as _

from apps.frame.outbound.destinations import NotSent
from apps.inference.hub import folder_name, hub_folder
from apps.jobs.kinds import Chunk, JobError
from apps.jobs.models import Job
from apps.jobs.signs_of_life import heartbeat

#: The names of files that are fetched, all at the top of the repository.
WANTED = frozenset(
    {
        "config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "special_tokens_map.json",
        "added_tokens.json",
        "vocab.txt",
        "vocab.json",
        "merges.txt",
        "spiece.model",
        "sentencepiece.bpe.model",
        "model.safetensors.index.json",
    }
)
RANGE = 2 * 1024 * 1024  # bytes a request; the door takes an answer of twice that
SECONDS = 60.0
MOST_REDIRECTS = 4


class FetchModel:
    """A file a chunk; the cursor is the number of files that are there."""

    def total(self, job: Job) -> int:
        return len(_files(job))

    def work(self, job: Job) -> Chunk | None:
        files = _files(job)
        if job.cursor >= len(files):
            return None
        name, size, digest = files[job.cursor]
        draft = _draft(job)
        draft.mkdir(parents=True, exist_ok=True)
        address = f"{_base(job)}/resolve/{job.params['revision']}/{quote(name)}"
        _fetch(address, draft / name, size, digest, heartbeat(job))
        return Chunk(job.cursor + 1, 1, None)

    def store(self, job: Job, chunk: Chunk) -> None:
        return None

    def finish(self, job: Job) -> dict[str, Any]:
        target = hub_folder(job.params["hub"], job.params["revision"])
        if not target.exists():
            _draft(job).rename(target)
        return {"folder": folder_name(job.params["hub"], job.params["revision"])}


def _base(job: Job) -> str:
    if not settings.MODEL_HUB:
        raise JobError(_("Models are not fetched by this server any more."))
    return f"{settings.MODEL_HUB}/{job.params['hub']}"


def _draft(job: Job) -> Path:
    target = hub_folder(job.params["hub"], job.params["revision"])
    return target.with_name(f".{target.name}.part")


def _files(job: Job) -> list[tuple[str, int, str]]:
    """The files to fetch: name, bytes, and the SHA-256 of those that the hub gives one of."""
    _base(job)
    hub, revision = job.params["hub"], job.params["revision"]
    address = f"{settings.MODEL_HUB}/api/models/{hub}/revision/{revision}?blobs=true"
    answer = _got(address, {})
    try:
        told = answer.json()
        if told["sha"] != revision:
            raise JobError(_("The hub answers with another revision than was asked for."))
        found = [
            (str(one["rfilename"]), int(one["size"]), str((one.get("lfs") or {}).get("sha256", "")))
            for one in told["siblings"]
            if _is_wanted(str(one["rfilename"]))
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise JobError(_("The hub's answer is not understood.")) from error
    names = {name for name, _size, _digest in found}
    if "config.json" not in names or not any(name.endswith(".safetensors") for name in names):
        raise JobError(_("“%(name)s” has no config.json or no safetensors weights there.") % {"name": hub})
    return sorted(found)


def _is_wanted(name: str) -> bool:
    return name in WANTED or ("/" not in name and "\\" not in name and name.endswith(".safetensors"))


def _fetch(address: str, path: Path, size: int, digest: str, beat: Callable[[], None]) -> None:
    """Write the file, from where it ends on; JobError where it isn't what the hub said it would be."""
    while (have := path.stat().st_size if path.exists() else 0) < size:
        last = min(have + RANGE, size) - 1
        answer = _got(address, {"Range": f"bytes={have}-{last}"})
        whole = answer.status_code == 200 and have == 0 and len(answer.content) == size
        if not whole and (answer.status_code != 206 or len(answer.content) != last - have + 1):
            raise JobError(_("The hub does not send parts of a file as asked for."))
        with path.open("ab") as stream:
            stream.write(answer.content)
        beat()
    if path.stat().st_size != size or (digest and _digest(path, beat) != digest):
        path.unlink()
        raise JobError(_("“%(name)s” came differently from what the hub announced.") % {"name": path.name})


def _digest(path: Path, beat: Callable[[], None]) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while part := stream.read(1 << 20):
            digest.update(part)
            beat()
    return digest.hexdigest()


def _got(address: str, headers: dict[str, str]) -> Any:
    """The answer to a GET, along redirects to allowed hosts; JobError with the reason where there is none."""
    import httpx2

    from apps.frame.outbound.transport import checked_client

    try:
        for _hop in range(MOST_REDIRECTS):
            with checked_client(address, seconds=SECONDS) as client:
                answer = client.get(address, headers=headers)
            if answer.status_code not in (301, 302, 303, 307, 308):
                break
            address = urljoin(address, answer.headers.get("Location", ""))
        if answer.status_code in (200, 206):
            return answer
    except NotSent as error:  # a host that is not allowed, named
        raise JobError(str(error)) from error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise JobError(_("The hub cannot be reached: %(reason)s") % {"reason": error}) from error
    raise JobError(_("The hub answers %(status)d.") % {"status": answer.status_code})
