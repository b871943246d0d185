import { palette } from '../text/en/palette.ts';
import { findSought, matchesIn, type TextRange } from '../text/sought-line.ts';
import { registerCommands } from '../ui/commands.ts';
import { isFocusTaken } from '../ui/focus-taken.ts';
import type { Sought } from '../ui/sought-here.ts';
import type { CsvRows } from './read-csv.ts';
import { shownUnits } from './shown-units.ts';
import type { FoundIn } from './use-found.ts';

/** The name in style sheets. */
const highlight = 'stoa-found';
/** Minimum distance of a match from the edges of the view, where bars may cover it. */
const marginPx = 56;
const inputs = ['wheel', 'touchmove', 'keydown', 'pointerdown'];
const blocks = 'p, li, h2, h3, h4, h5, h6, pre, td, th, blockquote, section, tr';

interface Visit {
  readonly sought: Sought;
  /** Whether the user has acted since the view scrolled to the line. */
  isLeft: boolean;
}

/** The last line that each element has scrolled to. */
const visits = new WeakMap<HTMLElement, Visit>();

let searched: {
  readonly source: string;
  readonly sought: Sought;
  readonly matches: readonly TextRange[];
} | null = null;

export interface FoundOptions {
  readonly sought: Sought;
  readonly notShown: (() => void) | undefined;
  /** Removes the mark. */
  readonly signal: AbortSignal;
}

/**
 * Marks in a rendered text what the address names, and scrolls to it. The mark is a CSS highlight, not an element, so
 * copied text does not have it. Until the user acts, the match stays in view while pictures and later parts load.
 */
export function markFound(element: HTMLElement | null, content: FoundIn, options: FoundOptions): void {
  const { sought, signal } = options;
  if (element === null || signal.aborted) return;
  const known = visits.get(element);
  const visit: Visit = known?.sought === sought ? known : { sought, isLeft: false };
  const ranges =
    typeof content === 'string'
      ? inField(element, content, visit, signal)
      : 'blocks' in content
        ? inMarkdown(element, content, sought)
        : inTable(element, content, options);
  const [first] = ranges;
  if (first === undefined) return;
  if (visit !== known) {
    visits.set(element, visit);
    const around = first.startContainer.parentElement?.closest<HTMLElement>(blocks);
    moveFocus(element instanceof HTMLTextAreaElement ? element : around);
  }

  // Browsers without highlights only scroll.
  if ('highlights' in CSS) CSS.highlights.set(highlight, new Highlight(...ranges));
  const show = () => {
    if (!visit.isLeft) bringIntoView(first);
  };
  show();
  const sizes = new ResizeObserver(show);
  sizes.observe(element);
  const leave = () => {
    visit.isLeft = true;
  };
  for (const input of inputs) addEventListener(input, leave, { signal, capture: true, passive: true });
  const pressed = ({ clientX, clientY }: MouseEvent) => {
    if (!ranges.some((range) => covers(range, clientX, clientY))) sought.end();
  };
  element.addEventListener('click', pressed, { signal });
  const unregister = registerCommands([
    { id: 'file.unmark', words: palette.unmark, keys: ['Escape'], keysOnly: true, run: () => sought.end() },
  ]);
  signal.addEventListener('abort', () => {
    sizes.disconnect();
    unregister();
    if ('highlights' in CSS) CSS.highlights.delete(highlight);
  });
}

/**
 * A match in a mark or in an address is not rendered: then the text of its line, or its block. Empty until the worker
 * has parsed the line.
 */
function inMarkdown(
  article: HTMLElement,
  { parsed: { source, frontMatter }, blocks: all }: Extract<FoundIn, { blocks: unknown }>,
  sought: Sought,
): readonly Range[] {
  // Each part of the text asks again.
  if (searched?.source !== source || searched.sought !== sought)
    searched = { source, sought, matches: findSought(source, sought) };
  const { matches } = searched;
  const [first] = matches;
  if (first === undefined) return [];
  if (frontMatter !== null && first.start < frontMatter.end)
    return wordsWithin(article.querySelector('.reading-front-matter'), sought.words);
  const elementOf = (block: number) => article.querySelector(`[data-block="${block}"]`);
  const shownAt = (range: TextRange): readonly Range[] =>
    all.flatMap((block, at) => {
      if (!('name' in block) || block.end <= range.start || block.start >= range.end) return [];
      return rangeOfUnits(elementOf(at), shownUnits(block, range));
    });
  const shown = matches.flatMap(shownAt);
  if (shown.length > 0) return shown;
  const start = source.lastIndexOf('\n', first.start - 1) + 1;
  const feed = source.indexOf('\n', first.start);
  const line = shownAt({ start, end: feed === -1 ? source.length : feed });
  if (line.length > 0) return line;
  return wordsWithin(elementOf(all.findIndex((block) => 'name' in block && block.end > first.start)), '');
}

/** A highlight cannot mark the text of a field, so it marks a copy of the line behind the field. */
function inField(
  field: HTMLElement,
  text: string,
  { sought, isLeft }: Visit,
  signal: AbortSignal,
): readonly Range[] {
  if (!(field instanceof HTMLTextAreaElement)) return [];
  // As the field shows it.
  const shown = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  const matches = findSought(shown, sought);
  const [first] = matches;
  if (first === undefined) return [];
  const start = shown.lastIndexOf('\n', first.start - 1) + 1;
  const line = document.createElement('div');
  line.dir = 'auto';
  line.textContent = shown.slice(start).split('\n', 1)[0] ?? '';
  line.style.insetBlockStart = `${shown.slice(0, start).split('\n').length - 1}lh`;
  const under = document.createElement('div');
  under.className = 'reading-source-under';
  under.ariaHidden = 'true';
  under.style.insetBlockStart = `${field.offsetTop}px`;
  under.append(line);
  field.before(under);
  const ranges = matches.flatMap((match) =>
    rangeOfUnits(line, { start: match.start - start, end: match.end - start }),
  );
  if (!isLeft) {
    const match = ranges[0]?.getBoundingClientRect();
    const view = under.getBoundingClientRect();
    const isSeen = match === undefined || (match.left > view.left && match.right < view.right);
    field.scrollTop = line.offsetTop - field.clientHeight / 2;
    field.scrollLeft = isSeen ? 0 : match.left - view.left - view.width / 2;
    field.setSelectionRange(first.start, first.start);
  }
  const follow = () => {
    line.style.translate = `${-field.scrollLeft}px ${-field.scrollTop}px`;
  };
  follow();
  field.addEventListener('scroll', follow, { signal });
  signal.addEventListener('abort', () => under.remove());
  return ranges;
}

function inTable(
  element: HTMLElement,
  { text, starts }: CsvRows,
  { sought, notShown, signal }: FoundOptions,
): readonly Range[] {
  const [match] = findSought(text, sought);
  if (match === undefined || !(element instanceof HTMLTableElement)) return [];
  const at = starts.findLastIndex((start) => start <= match.start);
  const row = element.rows[Math.max(0, at)];
  if (row === undefined) {
    notShown?.();
    return [];
  }
  // Its cells show their whole text.
  row.dataset.found = '';
  signal.addEventListener('abort', () => row.removeAttribute('data-found'));
  return wordsWithin(row, sought.words);
}

/** The ranges of the words in an element; without them, the whole element. */
function wordsWithin(element: Element | null, words: string): readonly Range[] {
  if (element === null) return [];
  const ranges: Range[] = [];
  for (const text of ownTexts(element))
    for (const { start, end } of matchesIn(text.data, words)) ranges.push(rangeOf(text, start, text, end));
  return ranges.length > 0 ? ranges : [rangeOf(element, 0, element, element.childNodes.length)];
}

function rangeOfUnits(element: Element | null, units: TextRange | null): readonly Range[] {
  if (element === null || units === null) return [];
  let first: { readonly text: Text; readonly start: number } | null = null;
  let at = 0;
  for (const text of ownTexts(element)) {
    const end = at + text.length;
    if (first === null && units.start < end) first = { text, start: units.start - at };
    if (first !== null && units.end <= end) return [rangeOf(first.text, first.start, text, units.end - at)];
    at = end;
  }
  return [];
}

/** The texts of an element, without additions of the app. */
function* ownTexts(element: Element): Generator<Text, void, undefined> {
  for (const node of element.childNodes) {
    if (node instanceof Text) yield node;
    else if (node instanceof HTMLElement && node.dataset.extra === undefined) yield* ownTexts(node);
  }
}

function rangeOf(start: Node, startAt: number, end: Node, endAt: number): Range {
  const range = document.createRange();
  range.setStart(start, startAt);
  range.setEnd(end, endAt);
  return range;
}

/** The next Tab and a screen reader continue at the match. */
function moveFocus(element: HTMLElement | null | undefined): void {
  if (element == null || isFocusTaken()) return;
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}

/** Scrolls each scroll area around a match to its middle, unless the match is in view. */
function bringIntoView(range: Range): void {
  const element = range.startContainer.parentElement;
  for (let box = element; box !== null; box = box.parentElement) {
    const [at] = range.getClientRects();
    if (at === undefined) {
      // The browser has no layout for it yet.
      element?.scrollIntoView({ block: 'center' });
      return;
    }
    const view = box.getBoundingClientRect();
    const { overflowX, overflowY } = getComputedStyle(box);
    const isSeen = at.top >= view.top + marginPx && at.bottom <= view.bottom - marginPx;
    if (scrolls.test(overflowY) && !isSeen)
      box.scrollTop += (at.top + at.bottom - view.top - view.bottom) / 2;
    if (scrolls.test(overflowX) && (at.left < view.left || at.right > view.right))
      box.scrollLeft += (at.left + at.right - view.left - view.right) / 2;
  }
}

const scrolls = /auto|scroll/;

function covers(range: Range, x: number, y: number): boolean {
  return [...range.getClientRects()].some(
    ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom,
  );
}
