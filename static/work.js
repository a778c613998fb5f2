// The annotator's page: live preview, one-key answers, drafts that survive a login or a lost connection,
// a sign of life while somebody types, and one request that sends an answer and brings the next card.
// Without JavaScript the page works all the same.
(() => {
  const drafts = (() => {
    try { return window.localStorage; } catch { return null; } // a browser may forbid it
  })();
  const folded = (text) => text.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
  let form, status, details, texts, choices, family, name, sending, waiting, lastSign;

  const say = (text) => { if (status) status.textContent = text; };
  const isOpen = () => form?.dataset.open === "yes";

  // ---- Drafts: kept on this device under the person and the card, until the server has them.
  // On a card that waits for its answer, and where none is left, earlier drafts have been sent.
  function dropOtherDrafts() {
    for (const key of Object.keys(drafts || {})) {
      if (key.startsWith(family) && key !== name) drafts.removeItem(key);
    }
  }

  function restoreDraft() {
    const draft = JSON.parse(drafts?.getItem(name) || "{}");
    for (const input of texts) if (!input.value && draft[input.name]) input.value = draft[input.name];
    for (const input of choices) if (draft[input.name] === input.value) input.checked = true;
    const pressed = draft[""] && form.querySelector(`button[data-key="${CSS.escape(draft[""])}"]`);
    if (pressed) { pressed.setAttribute("aria-pressed", "true"); say(form.dataset.unsent); }
  }

  function keepDraft(pressedKey = "") {
    if (!isOpen()) return;
    const draft = Object.fromEntries(texts.map((input) => [input.name, input.value]));
    for (const input of choices) if (input.checked) draft[input.name] = input.value;
    if (pressedKey) draft[""] = pressedKey;
    try {
      drafts?.setItem(name, JSON.stringify(draft));
    } catch { /* the device is full: the text is in the page all the same */ }
  }

  // ---- Preview: the whole new sentence under each input.
  function preview(input) {
    const line = form.querySelector(`[data-preview="${input.name}"]`);
    const text = input.value.trim().replace(/\s+/g, " ");
    if (!text) return line.replaceChildren();
    const mark = document.createElement("mark");
    mark.textContent = text;
    line.replaceChildren(form.dataset.before, mark, form.dataset.after);
  }

  // What the server would refuse is said before it is sent, and unsaid as soon as the text changes:
  // never when a field is left, since a line that comes or goes then moves the button under the hand.
  function refusal(input) {
    const text = folded(input.value);
    const characters = [...input.value].length;
    if (characters > Number(form.dataset.longest)) return form.dataset.long.replace("{n}", characters);
    if (text && text === folded(form.dataset.blank)) return form.dataset.unchanged;
    const earlier = texts.slice(0, texts.indexOf(input));
    if (text && earlier.some((other) => folded(other.value) === text)) return form.dataset.same;
    return "";
  }

  function show(input, reason) {
    const line = document.getElementById(`${input.name}-error`);
    line.textContent = reason;
    line.hidden = !reason;
    if (reason) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }

  // ---- A sign of life, once a minute at most (oftener for short leases), only while somebody works.
  async function signOfLife() {
    const pause = 1000 * Math.min(60, Number(form.dataset.keepSeconds || 60));
    if (!form.dataset.keep || !isOpen() || Date.now() - lastSign < pause) return;
    lastSign = Date.now();
    const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
    try {
      const answer = await fetch(form.dataset.keep, { method: "POST", headers: { "X-CSRFToken": token }, redirect: "manual" });
      if (answer.status === 204) window.workClock.kept();
      if (answer.status === 410) say(form.dataset.lost);
    } catch { /* offline: the answer itself will tell */ }
  }

  // ---- Sending: one request takes the answer in and brings the next card. What could not be sent stays
  // in the page and on the device, and goes as soon as there is a connection.
  async function send(sender, body) {
    sending = true;
    say(form.dataset.sending);
    let response, text;
    try {
      const inline = details?.dataset.version || "yes";
      response = await fetch(sender.action, { method: "POST", body, headers: { "Polarlab-Inline": inline } });
      if (response.status >= 500) throw new Error("the server is not well");
      text = await response.text();
    } catch {
      sending = false;
      waiting = () => send(sender, body);
      return say(form.dataset.offline);
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.querySelector(".work");
    if (!fresh) return response.redirected ? location.assign(response.url) : sendAsPage(sender, body);
    const address = response.headers.get("Polarlab-Address") || (response.redirected && new URL(response.url).pathname);
    if (address && address !== location.pathname) history.pushState(null, "", address);
    put(fresh);
    if (page.title) document.title = page.title;
    window.htmx?.process(fresh);
    begin();
    if (response.ok) {
      window.scrollTo(0, 0);
      holdBack();
    } else if (showMissing()) {
      return;
    }
    if (document.activeElement && document.activeElement !== document.body) return;
    const place = response.ok ? null : form?.querySelector("button.primary");
    (place || document.getElementById("main")).focus({ preventScroll: response.ok });
  }

  // The first question of a page without its answer: in sight, with the focus, and told.
  function showMissing() {
    const question = form?.querySelector("[data-wrong]");
    if (!question) return false;
    question.closest("section").scrollIntoView({ block: "center" });
    question.querySelector("input:not([type=hidden])").focus({ preventScroll: true });
    const told = document.querySelector("[role=alert] a");
    window.setTimeout(() => say(told ? told.textContent : question.querySelector(".error").textContent), 100);
    return true;
  }

  // A card comes alone: the foot is the page's own, and the instructions unless newer ones came along.
  function put(fresh) {
    const old = document.querySelector(".work");
    const foot = old.querySelector(".foot");
    if (!fresh.querySelector(".foot")) {
      if (details && !fresh.querySelector("#instructions")) {
        details.open = false;
        fresh.querySelector("main").append(details);
      }
      fresh.append(foot);
      for (const next of foot.querySelectorAll("[name=next]")) next.value = location.pathname;
    }
    old.replaceWith(fresh);
  }

  // The second press of a double one must not answer a question that nobody can have read yet. It is not
  // dropped in silence.
  function holdBack() {
    const card = form;
    if (!card || !isOpen() || texts.length) return;
    card.inert = true;
    window.setTimeout(() => { card.inert = false; }, 300);
  }

  // Whatever is no card (to sign in again, say) is a page of its own; it gets the answer along.
  function sendAsPage(sender, body) {
    for (const [key, value] of body) {
      if (sender.querySelector(`input[name="${CSS.escape(key)}"]`)) continue;
      const field = document.createElement("input");
      [field.type, field.name, field.value] = ["hidden", key, value];
      sender.append(field);
    }
    HTMLFormElement.prototype.submit.call(sender);
  }

  // ---- A page of questions: the one at hand is the one with the focus, else the first without answer.
  const questions = () => [...form.querySelectorAll("[data-question]")];
  const isAnswered = (question) => Boolean(question.querySelector("input:checked"));

  function press(key) {
    const question = document.activeElement?.closest("[data-question]") || questions().find((q) => !isAnswered(q));
    const choice = question?.querySelector(`input[data-key="${CSS.escape(key)}"]`);
    if (!choice) return form.querySelector(`button[data-key="${CSS.escape(key)}"]`)?.click();
    choice.click();
    const next = questions().slice(questions().indexOf(question) + 1).find((q) => !isAnswered(q));
    (next?.querySelector("input") || form.querySelector("button.primary")).focus();
  }

  // ---- A fresh card: on loading the page, and after each answer.
  function begin() {
    form = document.querySelector("form[data-card]");
    status = document.querySelector("[data-status]");
    details = document.getElementById("instructions");
    texts = form ? [...form.querySelectorAll(".replacement input")] : [];
    choices = form ? [...form.querySelectorAll("[data-question] input")] : [];
    const place = document.querySelector("[data-campaign]");
    family = place && `polarlab-draft:${place.dataset.participant}:${place.dataset.campaign}:`;
    name = form && family + form.dataset.card;
    [sending, waiting, lastSign] = [false, null, Date.now()];
    if (place && (!form || isOpen())) dropOtherDrafts();
    for (const aside of document.querySelectorAll("form[data-aside]")) {
      aside.addEventListener("submit", (event) => take(event, aside));
    }
    if (!form) return;
    if (isOpen()) restoreDraft();
    for (const input of texts) {
      preview(input);
      input.addEventListener("input", () => { show(input, ""); preview(input); keepDraft(); signOfLife(); });
    }
    for (const input of choices) {
      input.addEventListener("change", () => { keepDraft(); signOfLife(); });
    }
    window.workClock.begin((text) => isOpen() && say(text));
    if (showMissing()) return listen();
    (form.querySelector("[aria-invalid=true]") || (document.getElementById("news") ? null : texts[0]))?.focus();
    listen();
  }

  function listen() {
    form.addEventListener("submit", (event) => {
      const refused = sending ? [] : texts.filter((input) => refusal(input));
      for (const input of texts) show(input, refusal(input));
      if (refused.length) {
        event.preventDefault();
        return refused[0].focus();
      }
      take(event, form);
    });
  }

  // A second click while the first is on its way sends nothing.
  function take(event, sender) {
    event.preventDefault();
    if (sending) return;
    keepDraft(event.submitter?.dataset.key);
    const body = new FormData(sender, event.submitter);
    body.set("idle", window.workClock.idleSeconds());
    send(sender, body);
  }

  begin();
  window.addEventListener("online", () => waiting?.());
  window.addEventListener("popstate", () => location.reload());
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  // ---- Keys: a number answers, ? shows the instructions. In a text field, or while an input method
  // composes, keys are text.
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]")) return;
    if (!form || !("oneKey" in form.dataset)) return;
    if (event.key === "?" && details) {
      details.open = !details.open;
      if (details.open) details.querySelector("summary").focus();
      return;
    }
    if (!/^\d$/.test(event.key)) return;
    if (form.inert) return say(form.dataset.hold);
    press(event.key);
  });
  document.addEventListener("pointerdown", (event) => {
    if (form?.inert && event.target.closest(".work-card")?.contains(form)) say(form.dataset.hold);
  });
})();
