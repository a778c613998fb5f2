"""Make a study from a file of sentences, have people rewrite and judge, and download the release.

    POLARLAB=https://polarlab.example.org TOKEN=… python docs/example.py sentences.txt

The token needs the scopes write, people and release. Nothing beyond Python's own library is needed.
"""

import json
import os
import sys
import time
import urllib.request
from pathlib import Path

SERVER, TOKEN = os.environ["POLARLAB"], os.environ["TOKEN"]
PAUSE = float(os.environ.get("PAUSE", "10"))


def send(method, address, body=None):
    """The answer to a request; an address of the server's own is taken as it is."""
    url = address if address.startswith("http") else f"{SERVER}/api/v1/{address}"
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
        return json.load(answer) if "json" in answer.headers["Content-Type"] else answer.read()


def until(address, is_done):
    """Ask again and again until the thing at the address is done."""
    while not is_done(found := send("GET", address)):
        time.sleep(PAUSE)
    return found


def job_done(number):
    job = until(f"jobs/{number}/", lambda job: job["is_over"])
    assert job["state"] == "done", job["error"]


def answered(campaign):
    """Open a campaign, and wait for its people."""
    send("POST", f"campaigns/{campaign['id']}/state/", {"state": "open"})
    return until(f"campaigns/{campaign['id']}/", lambda c: c["complete_count"] == c["item_count"])


file = Path(sys.argv[1])
study = send("POST", "studies/", {"name": file.stem})["slug"]
text = {"study": study, "name": file.stem, "licence": "CC0", "source": "ourselves", "text": file.read_text()}
draft = send("POST", "corpus-drafts/", text)
for error in draft["preview"]["errors"]:
    print(f"row {error['row']}: {error['message']}")
corpus = send("POST", f"corpus-drafts/{draft['id']}/commit/", {"skip_bad": True})["corpus"]
job_done(send("POST", f"corpora/{corpus}/parse/", {})["id"])
blanks = send("POST", "blank-sets/", {"study": study, "name": "All", "filters": {"one_per_sentence": True}})
for _person in range(4):
    print("invite:", send("POST", "invitations/", {"study": study, "role": "annotator"})["link"])
rules = {"study": study, "name": "Rewriting", "task": "creation", "blank_set": blanks["id"]}
rewriting = answered(send("POST", "campaigns/", {**rules, "new_dataset": file.stem, "target": 1}))
rules = {"study": study, "name": "Judging", "task": "validation", "dataset": rewriting["dataset"]}
judging = answered(send("POST", "campaigns/", {**rules, "target": 3}))
release = send("POST", "releases/", {"dataset": judging["dataset"], "rule": "majority"})
job_done(release["job"])
release = send("GET", f"releases/{release['id']}/")
Path(release["file_name"]).write_bytes(send("GET", release["download"]))
print("written:", release["file_name"])
