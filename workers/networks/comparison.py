"""What stands above two sentence vectors. The systematicity paper (section 3.2) doesn't say what its LSTM and
TreeLSTM have there: both get the classifier of the TreeLSTM's authors (Tran and Cheng 2018), so that they
differ in how they read a sentence and in nothing else."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Comparison(nn.Module):
    """Both vectors (B, S), their product and their distance, element by element, through one hidden layer
    with ReLU: the logits (B, labels)."""

    def __init__(self, states: int, hidden: int, labels: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(4 * states, hidden)
        self.output = nn.Linear(hidden, labels)

    def forward(self, premise: Tensor, hypothesis: Tensor) -> Tensor:
        both = torch.cat([premise, hypothesis, premise * hypothesis, (premise - hypothesis).abs()], dim=-1)
        return self.output(self.hidden(both).relu())
