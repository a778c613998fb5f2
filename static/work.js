// The annotator's card: live preview, one-key answers, drafts that survive a login, and a sign of
// life while somebody types. Without JavaScript the card works all the same.
(() => {
  const form = document.querySelector("form[data-card]");
  const status = document.querySelector("[data-status]");
  const details = document.getElementById("instructions");
  const inputs = form ? [...form.querySelectorAll(".replacement input")] : [];

  const say = (text) => { if (status) status.textContent = text; };
  const folded = (text) => text.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();

  // ---- Drafts: kept on this device under the person and the assignment, until it was sent.
  const place = document.querySelector("[data-campaign]");
  const family = place && `polarlab-draft:${place.dataset.participant}:${place.dataset.campaign}:`;
  const name = form && family + form.dataset.card;
  const drafts = (() => {
    try { return window.localStorage; } catch { return null; } // a browser may forbid it
  })();

  // On a card that waits for its answer, and where none is left, earlier drafts have been sent.
  function dropOtherDrafts() {
    for (const key of Object.keys(drafts || {})) {
      if (key.startsWith(family) && key !== name) drafts.removeItem(key);
    }
  }

  function restoreDraft() {
    const draft = JSON.parse(drafts?.getItem(name) || "{}");
    for (const input of inputs) if (!input.value && draft[input.name]) input.value = draft[input.name];
  }

  function keepDraft() {
    if (form.dataset.open !== "yes") return;
    try {
      drafts?.setItem(name, JSON.stringify(Object.fromEntries(inputs.map((i) => [i.name, i.value]))));
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
    if (text && text === folded(form.dataset.blank)) return form.dataset.unchanged;
    const earlier = inputs.slice(0, inputs.indexOf(input));
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

  // ---- A sign of life, once a minute at most (oftener for short leases), only while somebody types.
  const pause = 1000 * Math.min(60, Number(form?.dataset.keepSeconds || 60));
  let lastSign = Date.now();
  async function signOfLife() {
    if (!form.dataset.keep || form.dataset.open !== "yes" || Date.now() - lastSign < pause) return;
    lastSign = Date.now();
    const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
    try {
      const answer = await fetch(form.dataset.keep, { method: "POST", headers: { "X-CSRFToken": token }, redirect: "manual" });
      if (answer.status === 410) say(form.dataset.lost);
    } catch { /* offline: the answer itself will tell */ }
  }

  if (place && (!form || form.dataset.open === "yes")) dropOtherDrafts();

  if (form) {
    if (form.dataset.open === "yes") restoreDraft();
    for (const input of inputs) {
      preview(input);
      input.addEventListener("input", () => { show(input, ""); preview(input); keepDraft(); signOfLife(); });
    }
    (form.querySelector("[aria-invalid=true]") || (details && details.open ? null : inputs[0]))?.focus();

    // A second click while the first is on its way sends nothing.
    let sent = false;
    form.addEventListener("submit", (event) => {
      if (sent) return event.preventDefault();
      const refused = inputs.filter((input) => refusal(input));
      for (const input of inputs) show(input, refusal(input));
      if (refused.length) {
        event.preventDefault();
        refused[0].focus();
        return;
      }
      sent = true;
      say(form.dataset.sending);
    });
    window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }

  // ---- Keys: a number answers, ? shows the instructions. In a text field, or while an input method
  // composes, keys are text.
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input:not([type=radio]), textarea, select, [contenteditable]")) return;
    if (!form || !("oneKey" in form.dataset)) return;
    if (event.key === "?" && details) {
      details.open = !details.open;
      if (details.open) details.querySelector("summary").focus();
      return;
    }
    form.querySelector(`button[data-key="${CSS.escape(event.key)}"]`)?.click();
  });
})();
