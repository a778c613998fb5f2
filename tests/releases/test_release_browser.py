"""A release made in a browser: rule and splits are said beforehand; its archive has its own folder."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.urls import reverse

from apps.releases.models import Release

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_what_is_said_beforehand_is_what_is_made(make, campaign, dataset, ada, visit, work, script):
    campaign.target = 2
    campaign.save()
    for _number in range(4):
        make("ee", calculus="e")
    page = visit(
        ada, reverse("releases:new", args=[dataset.study.slug, dataset.pk]), java_script_enabled=script
    )
    assert "collects 2 judgements a pair" in page.locator(".notice").first.inner_text()
    assert page.get_by_label("Judgements a pair needs at least").input_value() == "2"
    page.get_by_role("button", name="Count first").click()
    shown = page.locator("table").last.locator("td:nth-child(4)").all_inner_texts()
    foreseen = sum(int(cell) for cell in shown if cell != "–")
    assert "stay together" in page.locator("main").inner_text()
    # What stands on the form when the button is pressed is what is made.
    page.get_by_label("Test, in %").fill("10")
    with page.expect_navigation():
        page.get_by_role("button", name="Publish the release").click()
    work()
    page.reload()
    with page.expect_download() as arriving:
        page.get_by_role("link", name="Download").first.click()
    packed = zipfile.ZipFile(io.BytesIO(Path(arriving.value.path()).read_bytes()))
    release = Release.objects.get()
    (folder,) = {name.split("/")[0] for name in packed.namelist()}
    assert folder.startswith(f"{dataset.name.lower().replace(' ', '-')[:4]}")
    assert f"-{release.number}-" in folder
    manifest = json.loads(packed.read(f"{folder}/MANIFEST.json"))
    assert foreseen == manifest["counts"]["pairs"]["total"]
