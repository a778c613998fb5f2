// The API's pages: a form sends the request that it describes, in the name of whoever is signed in.
(() => {
  const csrf = document.querySelector("#csrf [name=csrfmiddlewaretoken]")?.value;

  const request = (form) => {
    const fields = new FormData(form);
    let path = form.dataset.path;
    const query = new URLSearchParams();
    for (const [name, value] of fields) {
      const [place, key] = name.split(":");
      if (place === "path") path = path.replace(`{${key}}`, encodeURIComponent(value));
      if (place === "query" && value !== "") query.append(key, value);
    }
    const body = fields.get("body");
    const headers = { "X-CSRFToken": csrf, Accept: "application/json" };
    if (body) headers["Content-Type"] = "application/json";
    const address = query.size ? `${path}?${query}` : path;
    return fetch(address, { method: form.dataset.method, headers, body: body || undefined });
  };

  const shown = async (answer) => {
    const kind = answer.headers.get("Content-Type") ?? "";
    const text = kind.includes("json") || kind.startsWith("text/") ? await answer.text() : kind;
    const pretty = kind.includes("json") && text ? JSON.stringify(JSON.parse(text), null, 2) : text;
    return [`${answer.status} ${answer.statusText}`, pretty.slice(0, 20000)];
  };

  const show = (place, [status, text]) => {
    const line = document.createElement("p");
    const strong = document.createElement("strong");
    strong.textContent = status;
    line.append(strong);
    const body = document.createElement("pre");
    body.tabIndex = 0;
    body.dir = "auto";
    body.textContent = text;
    place.replaceChildren(line, ...(text ? [body] : []));
  };

  for (const place of document.querySelectorAll(".try")) place.hidden = false;
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("[data-try]");
    if (!form) return;
    event.preventDefault();
    const button = form.querySelector("button");
    const place = form.querySelector("[data-answer]");
    button.disabled = true;
    try {
      show(place, await shown(await request(form)));
    } catch {
      show(place, [place.dataset.failed, ""]);
    } finally {
      button.disabled = false;
    }
  });
})();
