"""What the campaign pages and the handing out read."""

from apps.campaigns.selectors.availability import (
    answered_by,
    has_room,
    has_work,
    items_left_for,
    judged_among,
    live_leases,
    nothing_now,
    personal_refusal_of,
    places_left,
    refusal_of,
    sees_labels,
    with_room,
)
from apps.campaigns.selectors.people import PEOPLE, Annotator, Work, annotators_of, people_counted, works_of
from apps.campaigns.selectors.progress import (
    NEW_PAIRS,
    PROGRESS,
    Progress,
    new_pairs,
    new_pairs_counted,
    progress_counted,
    progress_counts,
    progress_kept,
    recent_judgements,
)
from apps.campaigns.selectors.tasks import (
    MANY,
    Rough,
    Task,
    hides_tests,
    left_for,
    reply_of,
    rough_of,
    tally_of,
    tasks_of,
)

__all__ = [
    "MANY", "NEW_PAIRS", "PEOPLE", "PROGRESS", "Annotator", "Progress", "Rough", "Task", "Work",
    "annotators_of", "answered_by", "has_room", "has_work", "hides_tests", "items_left_for", "judged_among",
    "left_for", "live_leases", "new_pairs", "new_pairs_counted", "nothing_now", "people_counted",
    "personal_refusal_of", "places_left", "progress_counted", "progress_counts", "progress_kept",
    "recent_judgements", "refusal_of", "reply_of", "rough_of", "sees_labels", "tally_of", "tasks_of",
    "with_room", "works_of",
]  # fmt: skip
