import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('datasets', '0003_gold_rules'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='pair',
            name='source',
            field=models.CharField(blank=True, max_length=500),
        ),
        migrations.AddField(
            model_name='pair',
            name='facts',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.CreateModel(
            name='PairDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file_name', models.CharField(max_length=255)),
                ('stored_name', models.CharField(max_length=64)),
                ('sha256', models.CharField(max_length=64)),
                ('bytes', models.PositiveBigIntegerField()),
                ('options', models.JSONField(default=dict)),
                ('preview', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('committed_at', models.DateTimeField(blank=True, null=True)),
                ('result', models.JSONField(default=dict)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('dataset', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='drafts', to='datasets.dataset')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pair_drafts', to='studies.study')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
    ]
