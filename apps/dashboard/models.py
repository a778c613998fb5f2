"""What a study knows from elsewhere of the words in its pairs."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Norm(models.Model):
    """Numbers that somebody else measured of words, such as a verb's veridicality (White and Rawlins 2018,
    *MegaVeridicality*). ``numbers`` holds one by the folded form of each word (``norms.folded``)."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="norms")
    name = models.CharField(_("name"), max_length=100)
    source = models.CharField(_("source"), max_length=500)
    numbers = models.JSONField()
    size = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="norm_name_once")]

    def __str__(self) -> str:
        return self.name
