// Runs before the page is drawn: light or dark as chosen on this device, else as the system says.
(() => {
  const root = document.documentElement;
  const device = (() => {
    try { return window.localStorage; } catch { return null; } // a browser may forbid it, in a frame above all
  })();
  const stored = device?.getItem("theme");
  if (stored === "light" || stored === "dark") root.dataset.theme = stored;
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-switch]");
    if (!button) return;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    device?.setItem("theme", root.dataset.theme);
  });
})();
