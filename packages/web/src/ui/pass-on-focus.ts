/**
 * Keeps the focus when the focused element disappears, such as a deleted row or a `Show more` button. Browsers would
 * reset it to the document. It moves to the element now in that position, or to a neighbour. Page changes, and lists
 * that know their next row, move the focus themselves and take precedence.
 */

/** The position of a removed element. */
interface Gap {
  readonly within: Node;
  readonly before: Node | null;
  readonly after: Node | null;
}

const mayHaveFocus =
  'a[href], button, input, select, textarea, summary, [contenteditable="true"], [tabindex]';
/** Search outwards up to one of these: anything beyond is unrelated to the removed element. */
const outermost = 'main, aside, nav, header, [role$="dialog"]';
/** Limit of steps to a neighbour: no list of the app has more elements in the document. */
const stepsMax = 500;

/**
 * @param root a page or a dialog. A dialog over it is a root of its own.
 * @param otherwise the fallback if nothing near the gap is focusable
 * @returns a function that stops this
 */
export function passOnFocus(root: HTMLElement, otherwise: () => HTMLElement | null): () => void {
  /** The focused element, or the last one that had the focus until it was removed. */
  let current: Element | null = null;
  /** The same, but inside the root itself, ignoring notices. Dialogs are outside the page. */
  let inPage: Element | null = null;
  let gap: Gap | null = null;
  let isDue = false;

  const focusIn = ({ target }: FocusEvent): void => {
    // A dialog focuses itself when its focused element is removed. That is not a useful position.
    if (!(target instanceof Element) || target === root) return;
    current = target;
    if (target.closest('.ui-notices') !== null) return;
    inPage = target;
    gap = null;
  };
  const focusOut = ({ target, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null) return;
    // A removed element is still connected at this point. If it stays, a press elsewhere took the focus on purpose.
    queueMicrotask(() => {
      if (target !== current || current?.isConnected !== true) return;
      current = null;
      inPage = null;
    });
  };
  const passOn = (): void => {
    isDue = false;
    const { activeElement, body } = document;
    if (activeElement !== body && activeElement !== root) return;
    if (current === null || current.isConnected) return;
    const to = inPage?.isConnected === true ? rowOf(inPage) : gap === null ? null : neighbour(gap);
    const next = to ?? otherwise();
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };
  const observer = new MutationObserver((records) => {
    if (inPage !== null && !inPage.isConnected) {
      const lost: Node = gap?.within ?? inPage;
      for (const { target, removedNodes, previousSibling, nextSibling } of records) {
        if (![...removedNodes].some((removed) => removed.contains(lost))) continue;
        gap = { within: target, before: previousSibling, after: nextSibling };
      }
    }
    if (isDue || current === null || current.isConnected) return;
    isDue = true;
    // Code with a better target has moved the focus by then.
    requestAnimationFrame(passOn);
  });

  root.addEventListener('focusin', focusIn);
  root.addEventListener('focusout', focusOut);
  observer.observe(root, { childList: true, subtree: true });
  return () => {
    root.removeEventListener('focusin', focusIn);
    root.removeEventListener('focusout', focusOut);
    observer.disconnect();
  };
}

/** The element now in the gap, else the next, else the previous one, and so on outwards. */
function neighbour({ within, before, after }: Gap): HTMLElement | null {
  let steps = 0;
  const isHere = (node: Node | null): node is Node => node !== null && node.parentNode === within;
  let next = isHere(before) ? before.nextSibling : isHere(after) ? after : within.firstChild;
  let previous = isHere(before) ? before : null;
  let parent: Node | null = within;
  while (parent !== null) {
    for (; next !== null && steps < stepsMax; next = next.nextSibling, steps += 1) {
      const [first] = stopsOf(next);
      if (first !== undefined) return first;
    }
    for (; previous !== null && steps < stepsMax; previous = previous.previousSibling, steps += 1) {
      const last = stopsOf(previous).at(-1);
      if (last !== undefined) return rowOf(last);
    }
    if (steps >= stepsMax || (parent instanceof Element && parent.matches(outermost))) return null;
    next = parent.nextSibling;
    previous = parent.previousSibling;
    parent = parent.parentNode;
  }
  return null;
}

/** A row counts as one stop, whatever it contains. */
function rowOf<Stop extends Element>(stop: Stop): HTMLElement | Stop {
  return stop.closest<HTMLElement>('[role="row"][tabindex]') ?? stop;
}

function stopsOf(node: Node): readonly HTMLElement[] {
  if (!(node instanceof HTMLElement)) return [];
  const stops = [node, ...node.querySelectorAll<HTMLElement>(mayHaveFocus)];
  return stops.filter(
    (stop) => stop.matches(mayHaveFocus) && !stop.matches(':disabled') && stop.checkVisibility(),
  );
}
