"""Networks trained here, at work: batches by length, out of the folder that training saved."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from apps.inference.folders import missing_libraries
from workers.runtimes.batches import Pace
from workers.runtimes.runtime import Output, Unavailable

if TYPE_CHECKING:
    from workers.networks.saved import Saved

AT_ONCE = 64


class TrainedNetwork:
    """A saved network; ``chunk`` pairs take seconds, parsing and all."""

    def __init__(self, saved: Saved) -> None:
        import torch

        self._torch, self._saved = torch, saved
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._network = saved.network.to(self._device)
        self.labels = saved.labels
        self._pace = Pace()

    @property
    def chunk(self) -> int:
        return self._pace.chunk

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Output]:
        begun = time.monotonic()
        outputs = self._outputs(pairs)
        self._pace.took(len(pairs), time.monotonic() - begun)
        return outputs

    def unknown(self, premise: str, hypothesis: str) -> list[str]:
        """The words of a pair that the network was never shown."""
        return self._saved.reader.unknown(premise, hypothesis)

    def _outputs(self, pairs: Sequence[tuple[str, str]]) -> list[Output]:
        reader = self._saved.reader
        examples = reader.examples(pairs)
        order = sorted(range(len(examples)), key=lambda number: reader.size(examples[number]))
        found: dict[int, Output] = {}
        for start in range(0, len(order), AT_ONCE):
            few = order[start : start + AT_ONCE]
            batch = reader.batch([examples[number] for number in few]).to(self._device)
            with self._torch.inference_mode():
                rows = self._torch.softmax(self._network(batch).float(), dim=-1).tolist()
            found |= {number: self._output(row) for number, row in zip(few, rows, strict=True)}
        return [found[number] for number in range(len(examples))]

    def _output(self, probabilities: Sequence[float]) -> Output:
        scores = dict(zip(self.labels, probabilities, strict=True))
        return Output(max(scores, key=lambda label: scores[label]), scores)


def load(config: Mapping[str, Any], fingerprint: str) -> TrainedNetwork:
    missing = [name for name in missing_libraries() if name != "transformers"]
    if missing:
        raise Unavailable(
            _("The worker cannot run networks: %(names)s not installed (“make neural”).")
            % {"names": ", ".join(missing)}
        )
    from workers.networks.saved import SavedError, network_load

    try:
        return TrainedNetwork(network_load(fingerprint))
    except SavedError as error:
        raise Unavailable(str(error)) from error
