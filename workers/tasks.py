"""The Celery tasks: wake who does the jobs, sweep what was left lying, tell webhooks."""

from celery import shared_task
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down


@worker_ready.connect  # type: ignore[untyped-decorator]
def keeper_start(**kwargs: object) -> None:
    from workers.keeper import keeper

    keeper.start()


@worker_shutting_down.connect  # type: ignore[untyped-decorator]
def keeper_stop_soon(**kwargs: object) -> None:
    from workers.keeper import keeper

    keeper.stop(patience=0)  # within a signal's handler


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def keeper_stop(**kwargs: object) -> None:
    from workers.keeper import keeper

    keeper.stop()


@shared_task(name="workers.run_job")  # type: ignore[untyped-decorator]
def run_job(pk: int) -> None:
    """Job ``pk`` waits, or another that is more urgent: which comes next is read in the database."""
    from workers.keeper import keeper

    keeper.wake()


@shared_task(name="workers.sweep")  # type: ignore[untyped-decorator]
def sweep() -> None:
    from apps.api.idempotency import answers_expire
    from apps.campaigns.services import leases_expire
    from apps.jobs.services import sweep as sweep_jobs
    from apps.tallies.services import tallies_refresh

    sweep_jobs()
    tallies_refresh()
    answers_expire()
    leases_expire()


@shared_task(name="workers.compare_tallies")  # type: ignore[untyped-decorator]
def compare_tallies() -> None:
    from apps.tallies.services import tallies_compare

    tallies_compare()


@shared_task(name="workers.tell_webhooks")  # type: ignore[untyped-decorator]
def tell_webhooks() -> None:
    from apps.webhooks import watches
    from apps.webhooks.deliveries import events_forget, tell_all

    watches.watch()
    tell_all()
    events_forget()
