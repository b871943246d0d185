/** Runs in the page before its own scripts: records paints of rows, layout shifts and the duration of events. */
export const pageWatch = `
window.stoaBench = { rowsMs: null, layoutShift: 0, longestEventMs: 0, clickMs: null, keysMs: [] };
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

/** Scrolls the list for some seconds and records the times between frames. @returns the share of frames over 20 ms. */
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

/**
 * Records the time from the next click until a frame in which the condition is true. The driver that clicks polls for
 * its elements with growing pauses and searches the whole document. Its own clock would include both.
 */
export const watchClick = (condition: string) => `
stoaBench.clickMs = null;
document.addEventListener('click', (event) => {
  (function look() {
    if (${condition}) requestAnimationFrame(() => setTimeout(() => { stoaBench.clickMs = performance.now() - event.timeStamp; }));
    else requestAnimationFrame(look);
  })();
}, { capture: true, once: true });
`;

/** The browser reports no event with a shorter delay, and rounds to 8 ms. */
const eventMsMin = 16;

/**
 * Records the browser's own measure of each key: from the press until the frame with its effect is presented. A timer
 * of the page would be wrong: Chromium runs input before timers, so that quick keys delay the timer.
 */
export const watchKeys = `
new PerformanceObserver((list) => {
  for (const { name, duration } of list.getEntries()) if (name === 'keydown') stoaBench.keysMs.push(duration);
}).observe({ type: 'event', durationThreshold: ${eventMsMin} });
`;

/** Returns the time of each typed key. */
export const keyMs = (typed: number) =>
  `[...stoaBench.keysMs, ...Array(Math.max(0, ${typed} - stoaBench.keysMs.length)).fill(${eventMsMin})]`;
