// The time of a card: what is left of it counts down, and seconds in which nobody was at the page are told
// apart from work. work.js begins it with each card, and asks it for the idle seconds with each answer.
window.workClock = (() => {
  // Longer than this without a key, a pointer or a scroll, and nobody is reading.
  const AWAY_AFTER = 60_000;
  let line, ends, last, idle, over, tell;

  function begin(say) {
    line = document.querySelector("[data-left]");
    ends = line && Date.now() + 1000 * Number(line.dataset.left);
    [last, idle, over, tell] = [Date.now(), 0, false, say];
    show();
  }

  // Its holder has kept it: the whole time again.
  function kept() {
    if (!line) return;
    ends = Date.now() + 1000 * Number(line.dataset.held);
    over = false;
    show();
  }

  function show() {
    if (!line?.isConnected) return;
    const seconds = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
    const [words, n] = seconds > 90 ? [line.dataset.minutes, Math.round(seconds / 60)] : [line.dataset.seconds, seconds];
    const text = seconds ? words.replace("{n}", n) : line.dataset.over;
    if (line.textContent !== text) line.textContent = text;
    if (!seconds && !over) {
      over = true;
      tell(line.dataset.then);
    }
  }

  function seen() {
    idle += Math.max(0, Date.now() - last - AWAY_AFTER);
    last = Date.now();
  }

  // Not on leaving: who looks at another page may be back in a moment.
  for (const kind of ["keydown", "pointerdown", "pointermove", "scroll"]) {
    document.addEventListener(kind, seen, { capture: true, passive: true });
  }
  window.setInterval(show, 1000);

  return { begin, kept, idleSeconds: () => { seen(); return Math.round(idle / 1000); } };
})();
