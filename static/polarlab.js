// Small things that every page may use.

// <form data-confirm="…"> asks before it is sent.
document.addEventListener("submit", (event) => {
  const question = event.target.dataset?.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

// A form is sent once, however often its button is clicked; a page that comes back may send again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.dataset.card) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// <button data-copy="#id"> copies the text of an element.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
  button.textContent = button.dataset.copied || "✓";
});

// A long list: the name that was typed or picked becomes a ticked box beside those that are there.
const addTyped = (list) => {
  const input = list.querySelector("input[type=text]");
  const wanted = input.value.trim().toLocaleLowerCase();
  const option = [...list.querySelectorAll("option")].find((one) => one.value.toLocaleLowerCase() === wanted);
  if (!option) return false;
  const name = list.dataset.someOfMany;
  const there = [...list.querySelectorAll("input[type=checkbox]")].find((one) => one.value === option.dataset.code);
  if (there) {
    there.checked = true;
  } else {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name, value: option.dataset.code, checked: true });
    const text = document.createElement("bdi");
    text.textContent = option.value;
    label.append(box, " ", text);
    const entry = document.createElement("li");
    entry.append(label);
    list.querySelector(".chosen").append(entry);
  }
  input.value = "";
  input.focus();
  return true;
};
document.addEventListener("click", (event) => {
  const list = event.target.closest("[name=add-typed]")?.closest("[data-some-of-many]");
  if (list && addTyped(list)) event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  const list = event.target.closest?.("[data-some-of-many]");
  if (list && event.key === "Enter" && !event.isComposing && event.target.value && addTyped(list)) event.preventDefault();
});
