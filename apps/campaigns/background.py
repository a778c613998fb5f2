"""The background work of campaigns, by its names."""

from __future__ import annotations

from apps.jobs.kinds import register
from apps.jobs.models import Job
from apps.quality.background import Checking, Estimating, Requeueing

register("campaigns.check", Checking())
register("campaigns.requeue", Requeueing(), Job.Urgency.CARD)
register("campaigns.reliability", Estimating())
