from django.db import migrations, models
from django.db.models import Count


def one_is_current(apps, schema_editor):
    """Of the runs of one version of a model over one dataset, the one that got furthest goes on; of equals the
    newest. The others stay as they are, with their predictions."""
    runs = apps.get_model("inference", "Run").objects
    furthest = {}
    for run in runs.annotate(predicted=Count("predictions")).order_by("predicted", "pk"):
        furthest[run.model_id, run.dataset_id, run.fingerprint] = run.pk
    runs.filter(pk__in=furthest.values()).update(is_current=True)


class Migration(migrations.Migration):

    dependencies = [
        ("inference", "0003_chat_answers_and_budgets"),
    ]

    operations = [
        migrations.AddField("run", "is_current", models.BooleanField(default=False)),
        migrations.RunPython(one_is_current, migrations.RunPython.noop),
        migrations.AlterField("run", "is_current", models.BooleanField(default=True)),
        migrations.AddConstraint(
            "run",
            models.UniqueConstraint(
                fields=["model", "dataset", "fingerprint"],
                condition=models.Q(is_current=True),
                name="run_once",
            ),
        ),
    ]
