"""``manage.py check`` looks at the pipeline that ``POLARLAB_PARSER`` names."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError


def test_the_default_pipeline_passes():
    call_command("check")


@pytest.mark.parametrize(
    ("meta", "reason"),
    [
        (None, "no spaCy pipeline named"),
        ({"lang": "de", "pipeline": ["tagger", "parser", "lemmatizer"]}, "natlog reads English"),
        ({"lang": "en", "pipeline": ["tagger"]}, "it has no parser and no lemmatizer"),
    ],
)
def test_another_is_refused_with_the_reason(settings, tmp_path, meta, reason):
    if meta is not None:
        (tmp_path / "meta.json").write_text(json.dumps(meta))
    settings.PARSER = str(tmp_path)
    with pytest.raises(SystemCheckError, match="POLARLAB_PARSER") as refused:
        call_command("check")
    assert reason in str(refused.value)
