from django.apps import AppConfig
from django.utils.translation import gettext_noop


class CampaignsConfig(AppConfig):
    """Tasks for annotators."""

    name = "apps.campaigns"

    def ready(self) -> None:
        from apps.campaigns import answer_counts, erasure, events, glance, invariants, rooms, selectors
        from apps.campaigns.models import Assignment, Campaign, Item, Judgement
        from apps.campaigns.retention import (
            CAMPAIGN,
            before_deleting,
            before_deleting_a_study,
            busy_campaign,
            busy_study,
            busy_thing,
            campaigns_made_of,
        )
        from apps.campaigns.services import leases_release
        from apps.campaigns.trail_words import WORDS
        from apps.corpora import pilots
        from apps.datasets.models import Pair
        from apps.people.erasure import add_room
        from apps.people.selectors import add_count
        from apps.studies import departure, retention, vocabulary
        from apps.studies import rooms as study_rooms
        from apps.studies.glance import add_work
        from apps.studies.soundness import register
        from apps.tallies import counting
        from apps.tallies.changes import watch, watch_moves
        from apps.webhooks import watches
        from apps.webhooks.events import EventType

        study_rooms.register(rooms.CAMPAIGNS, "campaigns")
        add_work(glance.work_of)
        departure.add_listener(leases_release)
        add_count(answer_counts.answers_given)
        pilots.answers_are(answer_counts.answers_to)
        watches.add(EventType.CAMPAIGN_FINISHED, events.look_for_finished)
        add_room(erasure.describe, erasure.forget)
        register(*invariants.CHECKS)
        retention.register(CAMPAIGN)
        retention.before_archiving("campaign", busy_campaign)
        retention.before_archiving("study", busy_study)
        retention.before_deleting("campaign", before_deleting)
        for kind in ("blank_set", "dataset"):
            retention.before_archiving(kind, busy_thing)
            retention.before_deleting(kind, campaigns_made_of)
        retention.before_deleting("study", before_deleting_a_study)
        vocabulary.register(WORDS)
        watch(Campaign, Item, Assignment, Judgement)
        watch_moves(Campaign)
        reads = (Campaign, Item, Judgement)
        far = gettext_noop("Counting how far campaigns are")
        counting.register(glance.COUNTING, far, glance.work_counted, reads)
        counting.register(selectors.PROGRESS, far, selectors.progress_counted, reads)
        counted = gettext_noop("Counting the answers of each annotator")
        counting.register(selectors.PEOPLE, counted, selectors.people_counted, reads)
        counting.register(answer_counts.ANSWERS, counted, answer_counts.answers_counted, reads)
        new = gettext_noop("Counting a dataset's new pairs")
        counting.register(selectors.NEW_PAIRS, new, selectors.new_pairs_counted, (Campaign, Item, Pair))
