// One key decides: the key printed on a button presses it, and leads into a text field. There keys are text.
document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input:not([type=radio]), textarea, select, [contenteditable]")) return;
  const meant = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (meant?.matches("input[name=tag]")) {
    event.preventDefault();
    meant.focus();
  } else meant?.click();
});
