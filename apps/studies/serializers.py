from rest_framework import serializers

from apps.studies.models import Study


class StudySerializer(serializers.ModelSerializer[Study]):
    class Meta:
        model = Study
        fields = ["id", "slug", "name", "description", "created_at"]
