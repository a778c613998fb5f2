// One key decides: the key printed on a button presses it. In a text field keys are text.
document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input:not([type=radio]), textarea, select, [contenteditable]")) return;
  document.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
});
