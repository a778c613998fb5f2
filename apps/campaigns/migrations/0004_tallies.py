import django.db.models.deletion
from django.db import migrations, models

BATCH = 2000


def count(apps, schema_editor):
    """A tally for everybody who answered so far."""
    Judgement = apps.get_model("campaigns", "Judgement")
    Tally = apps.get_model("campaigns", "Tally")
    rows = (
        Judgement.objects.order_by()
        .values_list("item__campaign", "participant")
        .annotate(
            answered=models.Count("pk", filter=models.Q(item__is_test=False)),
            tests=models.Count("pk", filter=models.Q(item__is_test=True)),
            last=models.Max("pk"),
        )
    )
    rows = list(rows)
    assignments = dict(
        Judgement.objects.filter(pk__in=[row[-1] for row in rows]).values_list("pk", "assignment")
        if len(rows) < BATCH
        else Judgement.objects.values_list("pk", "assignment")
    )
    Tally.objects.bulk_create(
        (
            Tally(campaign_id=campaign, participant_id=participant, answered=answered, tests=tests,
                  last_id=assignments[last])
            for campaign, participant, answered, tests, last in rows
        ),
        batch_size=BATCH,
    )


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0003_quality'),
        ('studies', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answered', models.PositiveIntegerField(default=0)),
                ('tests', models.PositiveIntegerField(default=0)),
                ('has_many_left', models.BooleanField(default=False)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='campaigns.campaign')),
                ('last', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='campaigns.assignment')),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tallies', to='studies.participant')),
            ],
        ),
        migrations.AddConstraint(
            model_name='tally',
            constraint=models.UniqueConstraint(fields=('campaign', 'participant'), name='tally_once'),
        ),
        migrations.RunPython(count, migrations.RunPython.noop),
    ]
