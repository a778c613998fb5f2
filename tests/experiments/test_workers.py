"""An experiment's trainings are spread over workers: each seed of each network on each split is a job."""

from __future__ import annotations

from apps.inference.trainings import NETWORK_KIND
from apps.jobs.kinds import queue_of
from apps.jobs.models import Job
from tests.experiments.conftest import SMALL, neural
from tests.installation import Installation

# Long enough to be seen at work, on one core of a machine with other things to do.
PROTOCOL = SMALL.replace(
    'networks = ["tiny"]\noptions.tiny = { epochs = 2, batch = 16 }',
    'networks = ["lstm"]\noptions.lstm = { epochs = 40, patience = 0, sizes = { layers = 1 } }',
).replace('"tiny"', '"lstm"')  # fmt: skip
START = """
import sys
from apps.accounts.models import User
from apps.experiments import services
from apps.experiments.protocols import read
from apps.jobs import runner
from apps.studies.services import study_create
study = study_create(actor=User.objects.create_superuser("d@example.org", None), name="Study")
protocol = read(sys.stdin.read(), "small")
made = services.experiment_start(study=study, actor=None, name="Two", protocol=protocol, preset="smoke")
runner.run(made.job_id)
"""
AT_WORK = """
select cell.seed, job.claim from experiments_cell cell
join inference_training training on training.id = cell.training_id
join jobs_job job on job.id = training.job_id
join experiments_split split on split.id = cell.split_id
where job.state = 'running' and cell.contestant = 'lstm' and split.training = 'D1'
"""


def test_each_training_is_a_job_of_its_own_in_the_queue_of_models(start):
    from apps.experiments import services
    from apps.jobs import runner

    experiment = start()
    runner.run(experiment.job_id)
    jobs = Job.objects.filter(trainings__cells__split__experiment=experiment)
    # Two splits, each with two seeds and the network untrained.
    assert jobs.distinct().count() == 6
    assert set(jobs.values_list("queue", flat=True)) == {Job.Queue.MODELS} == {queue_of(NETWORK_KIND)}
    assert queue_of(services.DEAL_KIND) == queue_of(services.CALCULUS_KIND) == Job.Queue.GENERAL


@neural
def test_two_workers_are_at_two_seeds_of_one_split_at_once(tmp_path):
    elsewhere = Installation(tmp_path)
    elsewhere.run(START, PROTOCOL.encode())
    seen = []

    def two_at_once():
        found = elsewhere.database.execute(AT_WORK).fetchall()
        seen.append(found)
        return len({seed for seed, _claim in found}) == 2 and len({claim for _seed, claim in found}) == 2

    # A worker is at one training at a time, so that one alone is never at two.
    with elsewhere.worker():
        elsewhere.wait_for(lambda: bool(elsewhere.database.execute(AT_WORK).fetchall()), lambda: seen)
        for _look in range(50):
            assert not two_at_once()
        with elsewhere.worker(kill=True):
            elsewhere.wait_for(two_at_once, lambda: seen[-1:])
