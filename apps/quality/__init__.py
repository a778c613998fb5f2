"""Quality: who may work in a campaign, test questions, rules, checks of answers, and reliability."""
