# %% [markdown]
# # MED's Tables 3 and 6 of a dataset, from a token to pandas
#
#     POLARLAB=https://polarlab.example.org TOKEN=… DATASET=7 python docs/notebook.py
#
# Or cell by cell in an editor that knows `# %%`. The token needs no scope beyond reading; pandas is all that
# has to be installed.

# %%
import json
import os
import urllib.request

import pandas as pd  # noqa: TID253 - it is what the notebook is for

SERVER, TOKEN, DATASET = os.environ["POLARLAB"], os.environ["TOKEN"], os.environ["DATASET"]


def get(address):
    """What the API answers, as Python's own values."""
    request = urllib.request.Request(
        f"{SERVER}/api/v1/{address}", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


# %% [markdown]
# Table 3: of the pairs with the usual number of judgements, how many have so many that match the calculus
# label, by direction.

# %%
comparison = get(f"datasets/{DATASET}/comparison/")
matches = comparison["matches"]
table3 = pd.DataFrame(matches["counts"]).T.fillna(0).astype(int)
table3["all"] = table3.sum(axis=1)
table3.index.name = f"match, of {matches['judgements']}"
print(f"Table 3: {matches['total']} pairs\n{table3}\n")

# %% [markdown]
# Table 6: each judge against the dataset's gold labels (or whatever else `against` names), in per cent, by
# direction. People are there by majority and by each answer, and the calculus beside the models.

# %%
broken = get(f"datasets/{DATASET}/breakdown/?by=direction")
names = {source["key"]: source["title"] for source in comparison["sources"]}
names |= {"human": "people, majority", "single": "people, each answer"}
rows = [
    {
        "judge": names.get(score["judge"], score["judge"]),
        "direction": {None: "all", "": "none"}.get(line["value"], line["value"]),
        "right": score["right"],
        "labels": score["labels"],
    }
    for line in broken["lines"]
    for score in line["scores"]
]
scores = pd.DataFrame(rows)
scores["accuracy"] = (100 * scores["right"] / scores["labels"]).round(1)
table6 = scores.pivot(index="judge", columns="direction", values="accuracy")
print(f"Table 6: accuracy against {broken['reference']}, per cent\n{table6}")
