"""The trail said which user a participant was made for: whose pseudonym it is. Nobody needs that line."""

from django.db import migrations
from django.db.models import F


def forget(apps, schema_editor):
    events = apps.get_model("studies", "AuditEvent").objects.filter(action="participant.created")
    known = apps.get_model("studies", "Participant").objects.values("pk")
    events.filter(participant=None, object_id__in=known).update(participant_id=F("object_id"))
    events.update(actor=None)


class Migration(migrations.Migration):
    dependencies = [("studies", "0003_hidden_studies")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
