"""A study's report: the pages' exhibits in one document, on a page and as a PDF."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from apps.dashboard.models import StudyReport, StudyReportFile
from apps.dashboard.report.services import study_report_start
from apps.inference.models import Run
from apps.jobs.models import Job


@pytest.fixture
def page(study, ada, client_of):
    client, address = client_of(ada), reverse("dashboard:report", args=[study.slug])

    def get(method="get", **query):
        return getattr(client, method)(address, query)

    return get


@pytest.fixture
def judged(make, campaign, predict):
    pairs = [make(letters) for letters in ("eee", "een", "nnn", "enn")]
    predict("overlap one", pairs, "eenn", [0.9, 0.7, 0.2, 0.4])
    return pairs


def pages_of(report, language="en"):
    from pypdf import PdfReader

    content = StudyReportFile.objects.get(report=report, language=language).content
    return [one.extract_text() for one in PdfReader(io.BytesIO(bytes(content))).pages]


def test_until_it_is_made_its_page_offers_to_make_it(page, study):
    assert "Make the report" in page().content.decode()
    assert page("post").status_code == 302
    assert "Report on" in Job.objects.get().title
    # Asked for twice, it is made once.
    page("post")
    assert Job.objects.count() == 1 and StudyReport.objects.count() == 1


@pytest.mark.both
def test_it_has_every_page_with_its_numbers_and_its_time(page, study, ada, judged, dataset, work):
    study_report_start(study=study, actor=ada)
    work()
    report = StudyReport.objects.get()
    assert report.job.state == Job.State.DONE, report.job.error
    chapters = [chapter["title"] for chapter in report.content["en"]]
    for title in ("The study at a glance", "Composition", "Agreement", "People, calculus and models",
                  "Models and people's soft labels", "Artifacts", "Versions and sources"):  # fmt: skip
        assert title in chapters
    assert all(chapter["as_of"] for chapter in report.content["en"])
    shown = page().content.decode()
    assert "overlap one" in shown and 'id="contents"' in shown
    text = "\n".join(pages_of(report))
    assert "Contents" in text and "overlap one" in text and dataset.name in text
    for exhibit in ("agreement", "comparison"):
        assert any(key["name"].startswith(exhibit) for key in report.content["en"])


def test_the_pdf_has_the_numbers_of_the_pages(page, study, ada, judged, dataset, work, client_of):
    study_report_start(study=study, actor=ada)
    work()
    address = reverse("dashboard:home", args=[study.slug])
    accuracy = client_of(ada).get(address, {"dataset": dataset.pk, "as": "accuracy.csv"}).content.decode()
    text = "\n".join(pages_of(StudyReport.objects.get()))
    shares = [line.split(",")[4] for line in accuracy.splitlines()[1:] if line.split(",")[4]]
    assert shares
    for share in shares:
        assert f"{100 * float(share):.1f}" in text


def test_it_is_in_each_language(study, ada, judged, work):
    study_report_start(study=study, actor=ada)
    work()
    report = StudyReport.objects.get()
    assert set(report.content) == {"en", "de"}
    assert "Zusammensetzung" in "\n".join(pages_of(report, "de"))


def test_of_an_empty_study_it_says_what_is_missing(study, ada, work):
    study_report_start(study=study, actor=ada)
    work()
    report = StudyReport.objects.get()
    assert report.job.state == Job.State.DONE, report.job.error
    assert "There is no campaign yet." in "\n".join(pages_of(report))


def test_nobody_is_in_it_by_name(study, ada, judged, work):
    study_report_start(study=study, actor=ada)
    work()
    text = "\n".join(pages_of(StudyReport.objects.get()))
    from apps.accounts.models import User

    for user in User.objects.all():
        assert user.email not in text


def test_who_does_not_see_the_study_gets_nothing(study, ada, judged, work, client_of, ben, olaf):
    study_report_start(study=study, actor=ada)
    work()
    for person in (ben, olaf):
        for name in ("report", "report_pdf"):
            answer = client_of(person).get(reverse(f"dashboard:{name}", args=[study.slug]))
            assert answer.status_code in (403, 404)


def test_it_says_by_which_program_when_and_with_which_models_it_was_made(study, ada, judged, work):
    import natlog

    study_report_start(study=study, actor=ada)
    work()
    report = StudyReport.objects.get()
    told = f"Polarlab {settings.POLARLAB_VERSION}, natlog {natlog.VERSION}"
    pages = pages_of(report)
    assert told in pages[0] and f"{report.made_at:%Y}" in pages[0]
    (chapter,) = [one for one in report.content["en"] if one["name"].startswith("versions")]
    assert told in chapter["sentences"][0] and f"{report.made_at:%Y}" in chapter["sentences"][0]
    (models,) = [one for one in chapter["exhibits"] if one["key"].endswith("-models")]
    run = Run.objects.get()
    assert models["rows"][0][0][0] == run.model.name and models["rows"][0][2][0] == run.fingerprint


def test_the_program_s_version_is_the_project_s():
    project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text())["project"]
    assert project["version"] == settings.POLARLAB_VERSION


@pytest.fixture
def without_system_fonts(monkeypatch):
    import typst

    compiled = typst.compile
    monkeypatch.setattr(typst, "compile", lambda *a, **k: compiled(*a, ignore_system_fonts=True, **k))


def test_scripts_that_no_font_has_are_named_on_the_title_page(study, ada, make, work, without_system_fonts):
    make("ee", premise="没有狗跑。", hypothesis="Собака: ни одна собака, 개")
    type(study).objects.filter(pk=study.pk).update(description="没有狗跑, 개, собака, ↑ α ∀")
    study_report_start(study=study, actor=ada)
    work()
    first = " ".join(pages_of(StudyReport.objects.get())[0].split())
    assert "they stand as boxes here: CJK, Hangul." in first


def test_where_every_letter_has_a_font_nothing_is_said(study, ada, make, work, without_system_fonts):
    type(study).objects.filter(pk=study.pk).update(description="собака, Ångström, ↑ α ∀ ⊑")
    study_report_start(study=study, actor=ada)
    work()
    assert "boxes" not in pages_of(StudyReport.objects.get())[0]
