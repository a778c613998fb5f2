"""What people fill in when predictions come in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.corpora.sources import MAXIMUM_UPLOAD
from apps.datasets.models import Dataset
from apps.imports.predictions.services import FIRST_VERSION
from apps.studies.access import within
from apps.studies.models import Study


def _limits() -> str:
    return _("CSV, TSV, JSON lines or Parquet, at most %(megabytes)d MB; .gz and .zip are unpacked.") % {
        "megabytes": MAXIMUM_UPLOAD // 2**20
    }


class PredictionFileForm(forms.Form):
    """A file of predictions, the dataset that it is about, and the model that made it."""

    dataset = forms.ModelChoiceField(Dataset.objects.none(), label=gettext_lazy("Dataset"), empty_label=None)
    model_name = forms.CharField(label=gettext_lazy("Model"), max_length=160)
    version = forms.CharField(
        label=gettext_lazy("Version"),
        max_length=38,
        required=False,
        initial=FIRST_VERSION,
        help_text=gettext_lazy("Nothing is overwritten: another file on the same pairs is another version."),
    )
    file = forms.FileField(label=gettext_lazy("File"), help_text=lazy(_limits, str)(), allow_empty_file=True)

    def __init__(self, *args: Any, study: Study, **options: Any) -> None:
        super().__init__(*args, **options)
        pairs = within(Dataset, study).filter(kind=Dataset.Kind.PAIRS, archived_at=None)
        self.fields["dataset"].queryset = pairs  # type: ignore[attr-defined]
