/**
 * The focus never falls to the top because what had it is gone: a row that was deleted, a button that showed the rest. It
 * passes on to what stands in that place now, or beside it. A page that takes another's place and a list that knows its
 * next row move the focus themselves, and are not disturbed.
 */

/** Where something was taken out of the page. */
interface Gap {
  readonly within: Node;
  readonly before: Node | null;
  readonly after: Node | null;
}

const mayHaveFocus =
  'a[href], button, input, select, textarea, summary, [contenteditable="true"], [tabindex]';
/** Outwards no further than one of these: beyond it nothing belongs to what is gone. */
const outermost = 'main, aside, nav, header, [role$="dialog"]';
/** A bound for the walk to the neighbours: no list of the app has more in the document. */
const stepsMax = 500;

/**
 * @param root a page or a dialog. A dialog over it is a root of its own.
 * @param otherwise where it goes when nothing near the gap takes it.
 * @returns what ends it.
 */
export function passOnFocus(root: HTMLElement, otherwise: () => HTMLElement | null): () => void {
  /** What has the focus, or had it until it was taken out. */
  let current: Element | null = null;
  /** The same in the root itself, without what comes and goes over it: notices. Dialogs stand outside the page. */
  let inPage: Element | null = null;
  let gap: Gap | null = null;
  let isDue = false;

  const focusIn = ({ target }: FocusEvent): void => {
    // A dialog takes the focus itself as soon as what had it is gone: that is nowhere in particular.
    if (!(target instanceof Element) || target === root) return;
    current = target;
    if (target.closest('.ui-notices') !== null) return;
    inPage = target;
    gap = null;
  };
  const focusOut = ({ target, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null) return;
    // What is taken out is still there at this moment. What stays was left on purpose, by a press beside it.
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
    // Whoever knows better where it goes has moved it by then.
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

/** What stands there now, else what follows, else what precedes, and so outwards. */
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

/** A row is one thing, whatever stands in it. */
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
