from django.db import migrations

from apps.datasets.working.fields import WORDS_SQL
from apps.datasets.working.words import words_of_pair

COLUMNS = ("words", "operators", "verbs")


def index(apps, schema_editor):
    """Words are found through an index on PostgreSQL; elsewhere the column is looked through."""
    if schema_editor.connection.vendor != "postgresql":
        return
    for column in COLUMNS:
        expression = WORDS_SQL.format(column=f'"{column}"')
        schema_editor.execute(
            f'CREATE INDEX "profile_{column}" ON "datasets_profile" USING gin ({expression})'
        )


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for column in COLUMNS:
            schema_editor.execute(f'DROP INDEX "profile_{column}"')


def fill(apps, schema_editor):
    """The words of the pairs that are there; operators, verbs and depth come with the next labelling."""
    Pair, Profile = apps.get_model("datasets", "Pair"), apps.get_model("datasets", "Profile")
    last = 0
    while True:
        pairs = list(
            Pair.objects.filter(pk__gt=last, profile=None).order_by("pk").prefetch_related("premises")[:1000]
        )
        if not pairs:
            return
        Profile.objects.bulk_create(
            Profile(
                pair=pair,
                words=words_of_pair(
                    [item.text for item in sorted(pair.premises.all(), key=lambda item: item.position)],
                    pair.hypothesis,
                ),
            )
            for pair in pairs
        )
        last = pairs[-1].pk


class Migration(migrations.Migration):
    # One statement of data and one of structure don't share a transaction on PostgreSQL.
    atomic = False

    dependencies = [("datasets", "0005_profiles_edits_reports")]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunPython(index, drop),
    ]
