"""The pages of rules, and of what they and researchers did."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.campaigns.models import Campaign
from apps.quality import actions, signal_rules
from apps.quality.forms import RuleForm
from apps.quality.models import QualityAction, Rule
from apps.quality.views import ROWS_A_PAGE, page
from apps.studies.access import Access, study_view


@study_view()
def rules_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    campaign = access.get(Campaign, pk)
    form = RuleForm(request.POST or None, campaign=campaign)
    if request.method == "POST" and form.is_valid():
        try:
            signal_rules.rule_create(campaign=campaign, actor=access.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The rule is in force."))
            return redirect("quality:rules", access.study.slug, pk)
    rows = campaign.rules.annotate(fired=Count("actions"))
    return page(request, "quality/rules.html", campaign, form=form, rows=rows)


@require_POST
@study_view()
def rule_active(request: HttpRequest, access: Access, pk: int, rule_pk: int) -> HttpResponse:
    rule = access.get(Rule, rule_pk, campaign=pk)
    signal_rules.rule_set_active(rule=rule, actor=access.user, active=request.POST.get("active") == "yes")
    return redirect("quality:rules", access.study.slug, pk)


@study_view()
def actions_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Everything that rules and researchers did, newest first; ``?open=yes`` leaves out what was undone."""
    campaign = access.get(Campaign, pk)
    found = campaign.quality_actions.select_related("participant", "created_by", "undone_by")
    only_open = request.GET.get("open") == "yes"
    if only_open:
        found = found.filter(undone_at=None)
    rows = Paginator(found, ROWS_A_PAGE).get_page(request.GET.get("page"))
    return page(request, "quality/actions.html", campaign, page=rows, only_open=only_open)


@require_POST
@study_view()
def action_undo(request: HttpRequest, access: Access, pk: int, action_pk: int) -> HttpResponse:
    """Undo it; a review is marked as looked at."""
    action = access.get(QualityAction, action_pk, campaign=pk)
    is_review = action.kind == QualityAction.Kind.REVIEW
    why = QualityAction.Undone.DONE if is_review else QualityAction.Undone.BY_HAND
    counted = actions.action_undo(action=action, actor=access.user, why=why)
    text = _("Marked as looked at.") if is_review else _("Undone.")
    if action.kind == QualityAction.Kind.REQUEUE:
        total = len(action.judgements)
        text += " " + _("%(n)d of %(all)d answers count again; for the others there is no room left.") % {
            "n": counted,
            "all": total,
        }
    messages.success(request, text)
    return redirect("quality:actions", access.study.slug, pk)
