"""A study's report through the API; what is in it is tested with the dashboard."""


def test_it_is_made_read_and_taken_as_a_file(study, ada, work, token_client):
    client = token_client(ada)
    address = f"/api/v1/studies/{study.slug}/report/"
    assert client.get(address).json() == {"made_at": None, "job": None, "chapters": []}
    assert client.get(f"/api/v1/studies/{study.slug}/report.pdf").status_code == 404
    assert client.post(address).status_code == 202
    work()
    told = client.get(address).json()
    assert told["made_at"] and [one["title"] for one in told["chapters"]] == ["The study at a glance"]
    assert told["chapters"][0]["sentences"] == ["There is no campaign yet."]
    file = client.get(f"/api/v1/studies/{study.slug}/report.pdf")
    assert file["Content-Type"] == "application/pdf" and file.content.startswith(b"%PDF")
    assert client.get("/api/v1/studies/nowhere/report/").status_code == 404
