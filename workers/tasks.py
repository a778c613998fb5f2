"""The Celery tasks: run a job, sweep what was left lying, tell webhooks."""

from celery import shared_task


@shared_task(name="workers.run_job")  # type: ignore[untyped-decorator]
def run_job(pk: int) -> None:
    from apps.jobs.runner import run

    run(pk)


@shared_task(name="workers.sweep")  # type: ignore[untyped-decorator]
def sweep() -> None:
    from apps.api.once import answers_expire
    from apps.campaigns.services import leases_expire
    from apps.jobs.services import sweep as sweep_jobs

    sweep_jobs()
    answers_expire()
    leases_expire()


@shared_task(name="workers.tell_webhooks")  # type: ignore[untyped-decorator]
def tell_webhooks() -> None:
    from apps.webhooks.delivering import events_forget, tell_all
    from apps.webhooks.watching import campaigns_watch

    campaigns_watch()
    tell_all()
    events_forget()
