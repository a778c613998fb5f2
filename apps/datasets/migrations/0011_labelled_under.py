"""The convention of a dataset's latest labels, which its next ones follow, read once for all datasets."""

from typing import Any

from django.db import migrations, models


def fill(apps: Any, schema_editor: Any) -> None:
    dataset_model = apps.get_model("datasets", "Dataset")
    label_model = apps.get_model("datasets", "CalculusLabel")
    for dataset in dataset_model.objects.all():
        labels = label_model.objects.filter(pair__dataset=dataset, is_current=True).order_by("-pk")
        dataset.labelled_under = labels.values_list("convention", flat=True).first() or ""
        dataset.save(update_fields=["labelled_under"])


class Migration(migrations.Migration):

    dependencies = [
        ('datasets', '0010_imports_in_waiting'),
    ]

    operations = [
        migrations.AddField(
            model_name='dataset',
            name='labelled_under',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
