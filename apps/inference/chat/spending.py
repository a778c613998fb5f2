"""What a run of a chat model has used and may use, and the answers that are there already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal

from django.db.models import Count, Max, Q, Sum
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from apps.inference.chat.configs import ChatConfig, money
from apps.inference.models import ChatAnswer, ChatBudget, Model, Run


@dataclass(frozen=True)
class Spent:
    """What the run's own requests came to; what it took from earlier answers cost nothing. ``cost`` is None
    without prices. ``without_probabilities`` are labels that were said without any."""

    answers: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: int = 0
    refused: int = 0
    unreadable: int = 0
    without_probabilities: int = 0
    cost: Decimal | None = None

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


def answers_known(study: int, fingerprint: str, digests: Collection[str]) -> dict[str, ChatAnswer]:
    """The answers that a model (by its fingerprint) gave in the study, by the pair's digest. One query."""
    found = ChatAnswer.objects.filter(study=study, fingerprint=fingerprint, digest__in=digests)
    return {answer.digest: answer for answer in found}


def spent_by(run: int, config: ChatConfig) -> Spent:
    """One query."""
    found = ChatAnswer.objects.filter(run=run).aggregate(
        answers=Count("pk"),
        tokens_in=Sum("tokens_in", default=0),
        tokens_out=Sum("tokens_out", default=0),
        estimated=Count("pk", filter=Q(is_estimated=True)),
        refused=Count("pk", filter=Q(problem=ChatAnswer.Problem.REFUSED)),
        unreadable=Count("pk", filter=Q(problem__in=(ChatAnswer.Problem.UNREADABLE, ChatAnswer.Problem.CUT))),
        without_probabilities=Count("pk", filter=Q(has_probabilities=False, problem="")),
    )
    return Spent(**found, cost=config.cost_of(found["tokens_in"], found["tokens_out"]))


def last_answer(study: int, fingerprint: str) -> datetime | None:
    """When the model answered last. One query."""
    found = ChatAnswer.objects.filter(study=study, fingerprint=fingerprint)
    last: datetime | None = found.aggregate(last=Max("created_at"))["last"]
    return last


@dataclass
class Purse:
    """What is left for requests: ``spent`` and what those under way may come to (``held``, in tokens)."""

    config: ChatConfig
    tokens: int | None
    cost: Decimal | None
    spent: Spent
    held_in: int = 0
    held_out: int = 0
    _is_money: bool = False

    @classmethod
    def of(cls, run: int | None, config: ChatConfig) -> Purse:
        """A run's; without a run (a model in the loop) nothing is counted. Two queries."""
        budget = ChatBudget.objects.filter(run=run).first() if run else None
        spent = spent_by(run, config) if run else Spent()
        return cls(config, budget.tokens if budget else None, budget.cost if budget else None, spent)

    def takes(self, tokens_in: int) -> bool:
        """Set aside what a request may come to, if that much is left."""
        most_in = self.spent.tokens_in + self.held_in + tokens_in
        most_out = self.spent.tokens_out + self.held_out + self.config.max_tokens
        if self.tokens is not None and most_in + most_out > self.tokens:
            self._is_money = False
            return False
        cost = self.config.cost_of(most_in, most_out)
        if self.cost is not None and cost is not None and cost > self.cost:
            self._is_money = True
            return False
        self.held_in += tokens_in
        self.held_out += self.config.max_tokens
        return True

    def settle(self, tokens_in: int, answer: ChatAnswer | None) -> None:
        """The request that was set aside for has come to this, or to nothing."""
        self.held_in -= tokens_in
        self.held_out -= self.config.max_tokens
        if answer is not None:
            new_in = self.spent.tokens_in + answer.tokens_in
            new_out = self.spent.tokens_out + answer.tokens_out
            cost = self.config.cost_of(new_in, new_out)
            self.spent = replace(
                self.spent, answers=self.spent.answers + 1, tokens_in=new_in, tokens_out=new_out, cost=cost
            )

    @property
    def why_empty(self) -> str:
        """Why the last request was not made, in words."""
        if not self._is_money:
            return _(
                "The budget of %(budget)s tokens does not reach for another request (%(used)s used). Raise "
                "it, and the run goes on where it is."
            ) % {"budget": number_format(self.tokens or 0), "used": number_format(self.spent.tokens)}
        return _(
            "The budget of %(budget)s does not reach for another request (%(used)s spent). Raise it, and the "
            "run goes on where it is."
        ) % {"budget": money(self.cost), "used": money(self.spent.cost)}


@dataclass(frozen=True)
class Usage:
    """What a run has used and may use, for its page and the API; ``answered_by`` are the names under which
    the server says that it answered."""

    spent: Spent
    budget: ChatBudget
    config: ChatConfig
    answered_by: list[str]

    @property
    def cost(self) -> str:
        return money(self.spent.cost)

    @property
    def most_cost(self) -> str:
        return money(self.budget.cost)

    @property
    def row(self) -> dict[str, object]:
        return {
            **asdict(self.spent),
            "tokens_budget": self.budget.tokens,
            "cost_budget": self.budget.cost,
            "answered_by": self.answered_by,
        }


def usage_of(run: Run) -> Usage | None:
    """None for a run of a model that costs nothing. Three queries."""
    if run.model.kind != Model.Kind.CHAT:
        return None
    config = ChatConfig.read(run.model.config)
    names = (
        run.paid_answers.exclude(answered_by="").order_by("answered_by").values_list("answered_by", flat=True)
    )
    budget = ChatBudget.objects.filter(run=run).first() or ChatBudget(run=run)
    return Usage(spent_by(run.pk, config), budget, config, list(names.distinct()[:10]))


def reasons_of(run: Run) -> list[tuple[str, int]]:
    """Why pairs were left without a prediction, each reason without the words of the pair's own answer, and
    how often; the most frequent first. One query."""
    if run.job is None:
        return []
    counts = Counter(
        message.partition(": ")[0] for message in run.job.failures.values_list("message", flat=True)
    )
    return counts.most_common()
