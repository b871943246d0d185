/** Runs in the page, before anything of its own: notes when rows are painted, how much moved, how long events took. */
export const pageWatch = `
window.stoaBench = { rowsMs: null, layoutShift: 0, longestEventMs: 0, gapsMs: [] };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) stoaBench.layoutShift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) stoaBench.longestEventMs = Math.max(stoaBench.longestEventMs, entry.duration);
}).observe({ type: 'event', durationThreshold: 16, buffered: true });
(function look() {
  // The frame after the rows are in the document is the one that shows them.
  if (document.querySelectorAll('[role=row]').length > 5) {
    requestAnimationFrame(() => setTimeout(() => { stoaBench.rowsMs ??= performance.now(); }));
  } else requestAnimationFrame(look);
})();
`;

/** Scrolls the list for some seconds and keeps the times between frames. @returns the share of frames over 20 ms. */
export const scrolling = (seconds: number) => `new Promise((resolve) => {
  const list = document.querySelector('[role=grid]');
  let scroller = list;
  while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement;
  scroller ??= document.scrollingElement;
  const began = performance.now();
  const gaps = [];
  let last = began;
  requestAnimationFrame(function frame(now) {
    gaps.push(now - last);
    last = now;
    scroller.scrollTop += 120;
    if (now - began < ${seconds * 1000}) requestAnimationFrame(frame);
    else resolve({
      late: gaps.filter((gap) => gap > 20).length / gaps.length,
      frames: gaps.length,
      moved: scroller.scrollTop,
      rows: document.querySelectorAll('[role=row]').length,
    });
  });
})`;
