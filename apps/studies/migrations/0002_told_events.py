from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studies", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="told_events",
            field=models.JSONField(default=list, editable=False),
        ),
    ]
