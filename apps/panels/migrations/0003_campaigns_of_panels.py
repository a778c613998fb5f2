"""A campaign with a panel is the panel's people's, unless annotators of the study have worked in it already."""

from django.db import migrations


def give(apps, schema_editor):
    Panel, Quality = apps.get_model("panels", "Panel"), apps.get_model("campaigns", "Quality")
    answers = apps.get_model("campaigns", "Judgement").objects
    for campaign in Panel.objects.values_list("campaign", flat=True):
        if not answers.filter(item__campaign=campaign, participant__panel="").exists():
            Quality.objects.update_or_create(campaign_id=campaign, defaults={"members_work": False})


class Migration(migrations.Migration):
    dependencies = [
        ("panels", "0002_visit_language"),
        ("campaigns", "0009_refusals_corrections_and_tries"),
    ]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
