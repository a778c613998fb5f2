import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def wanted_of_target(apps, schema_editor):
    """Every item wants its campaign's target until its answers disagree."""
    Item, Campaign = apps.get_model("campaigns", "Item"), apps.get_model("campaigns", "Campaign")
    target = Campaign.objects.filter(pk=models.OuterRef("campaign")).values("target")
    Item.objects.update(wanted=models.Subquery(target))


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0001_initial'),
        ('corpora', '0001_initial'),
        ('datasets', '0001_initial'),
        ('inference', '0001_initial'),
        ('jobs', '0001_initial'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ModelReply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveIntegerField()),
                ('fingerprint', models.CharField(blank=True, max_length=64)),
                ('predictions', models.JSONField(default=list)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('replied_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'model replies',
                'ordering': ['judgement', 'revision'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='campaign',
            name='campaign_task_has_its_items',
        ),
        migrations.AddField(
            model_name='assignment',
            name='page',
            field=models.UUIDField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='campaign',
            name='cap',
            field=models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='answers of one annotator'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='closes_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='closes at'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='currency',
            field=models.CharField(default='USD', max_length=3, validators=[django.core.validators.RegexValidator('^[A-Z]{3}$')], verbose_name='currency'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='maximum',
            field=models.PositiveIntegerField(blank=True, help_text='Ask up to this number of annotators where the first ones disagree. Empty: never more.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='at most'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='model',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='campaigns', to='inference.model'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='opens_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='opens at'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='order',
            field=models.CharField(choices=[('random', 'another for each annotator, drawn from the seed'), ('fixed', 'the same for all')], default='random', max_length=10, verbose_name='order'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='page_size',
            field=models.PositiveIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(50)], verbose_name='questions on a page'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='preset',
            field=models.CharField(blank=True, max_length=40, verbose_name='preset'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='price',
            field=models.PositiveIntegerField(default=0, verbose_name='price in cents'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='show_predictions',
            field=models.BooleanField(default=False, verbose_name="show a model's predictions"),
        ),
        migrations.AddField(
            model_name='campaign',
            name='skips_count',
            field=models.BooleanField(default=True, verbose_name='skips count'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='tries',
            field=models.PositiveIntegerField(default=0, verbose_name='tries after the first'),
        ),
        migrations.AddField(
            model_name='item',
            name='wanted',
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='judgement',
            name='nonsense',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='judgement',
            name='predictions_shown',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='judgement',
            name='tries',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name='campaign',
            name='task',
            field=models.CharField(choices=[('creation', 'hypothesis creation'), ('validation', 'validation'), ('likert', 'Likert scale')], max_length=20, verbose_name='task'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('page__isnull', False)), fields=['page'], name='assignment_of_page'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('blank_set__isnull', False), ('task', 'creation')), models.Q(('blank_set__isnull', True), ('task__in', ['validation', 'likert'])), _connector='OR'), name='campaign_task_has_its_items'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('maximum__isnull', True), models.Q(('maximum__gte', models.F('target')), ('task__in', ['validation', 'likert'])), _connector='OR'), name='campaign_maximum_above_target'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('order__in', ['random', 'fixed'])), name='campaign_order_known'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('cap__isnull', True), ('cap__gte', 1), _connector='OR'), name='campaign_cap_positive'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('page_size', 1), models.Q(('page_size__gte', 1), ('page_size__lte', 50), ('task__in', ['validation', 'likert'])), _connector='OR'), name='campaign_page_of_questions'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('opens_at__isnull', True), ('closes_at__isnull', True), ('closes_at__gt', models.F('opens_at')), _connector='OR'), name='campaign_opens_before_it_closes'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('show_predictions', False), models.Q(('model__isnull', False), ('task', 'creation')), _connector='OR'), name='campaign_predictions_of_a_model'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('price__gte', 0)), name='campaign_price_not_negative'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.CheckConstraint(condition=models.Q(('wanted__gte', 1)), name='item_wanted_positive'),
        ),
        migrations.AddConstraint(
            model_name='judgement',
            constraint=models.CheckConstraint(condition=models.Q(('rating__isnull', True), models.Q(('rating__gte', 1), ('rating__lte', 5)), _connector='OR'), name='judgement_rating_on_the_scale'),
        ),
        migrations.AddConstraint(
            model_name='judgement',
            constraint=models.CheckConstraint(condition=models.Q(('nonsense', False), ('answer', 'unnatural'), _connector='OR'), name='judgement_nonsense_is_unnatural'),
        ),
        migrations.AddField(
            model_name='modelreply',
            name='job',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='model_replies', to='jobs.job'),
        ),
        migrations.AddField(
            model_name='modelreply',
            name='judgement',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_replies', to='campaigns.judgement'),
        ),
        migrations.AddField(
            model_name='modelreply',
            name='model',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='replies', to='inference.model'),
        ),
        migrations.AddConstraint(
            model_name='modelreply',
            constraint=models.UniqueConstraint(fields=('judgement', 'revision'), name='model_reply_once'),
        ),
        migrations.RunPython(wanted_of_target, migrations.RunPython.noop, elidable=True),
    ]
