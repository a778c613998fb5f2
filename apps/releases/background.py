"""Background work of releases: making one, and working rules of probabilities out."""

from __future__ import annotations

from apps.jobs.kinds import register
from apps.jobs.models import Job
from apps.releases.job import Releasing
from apps.releases.rule_outcomes import RULE_KIND, Outcomes

register("datasets.release", Releasing(), Job.Urgency.PERSON)
register(RULE_KIND, Outcomes())
