import { createNumbers, isFootnote, numberedFootnotes } from './footnotes.ts';
import {
  blockRanges,
  type Definition,
  definitionsIn,
  type ParsedWindow,
  parseWindow,
  readingBlocks,
  textStartOf,
  type Window,
} from './parse-window.ts';
import { plainTextOf, type ReadingNode } from './tree.ts';

/** A result of reading a file. They arrive in this order, except that `blocks` of a part may come again. */
export type ReadingPart =
  /** Final blocks of a part. The same part comes again once its references are resolved. */
  | { readonly kind: 'blocks'; readonly part: number; readonly blocks: readonly ReadingNode[] }
  /** Blocks after the last part for now; the next tail or part replaces them. */
  | { readonly kind: 'tail'; readonly blocks: readonly ReadingNode[] }
  | { readonly kind: 'footnotes'; readonly blocks: readonly ReadingNode[] };

/** The first part is small, for a fast first screen. UTF-16 units. */
const firstWindowUnits = 16 * 1024;
const windowUnits = 64 * 1024;
/** Limit of definitions shared with other parts, because they are parsed again with each part. */
const definitionsMax = 2000;

interface ReadingSizes {
  /** Offset of the text after the front matter. */
  readonly start?: number | undefined;
  readonly first?: number;
  readonly further?: number;
}

interface Part {
  readonly window: Window;
  readonly parsed: ParsedWindow;
  readonly blocks: ParsedWindow['blocks'];
  readonly definitions: readonly Definition[];
  /** Number of definitions in other parts that were known when it was parsed. */
  readonly knew: number;
}

/**
 * Reads Markdown part by part, because parsing 1 MiB takes about 2 s and the first screen must not wait for that. A
 * block followed by an empty line and another block is final, so a part ends there and the next one starts. The largest
 * block bounds the time between two parts. Headings move one level down, because the file name is the page's heading.
 */
export function* readParts(
  source: string,
  {
    start: textStart = textStartOf(source),
    first = firstWindowUnits,
    further = windowUnits,
  }: ReadingSizes = {},
): Generator<ReadingPart, void, undefined> {
  const slugs = createSlugs();
  const definitions: Definition[] = [];
  const homes = new Map<Definition, ParsedWindow>();
  const parts: Part[] = [];
  let footnotes = createNumbers();
  const draw = (parsed: ParsedWindow, blocks: ParsedWindow['blocks']): readonly ReadingNode[] =>
    withIds(
      readingBlocks(parsed, blocks, { definitions, footnoteNumber: footnotes.of, levelsDown: 1 }),
      slugs,
    );

  let start = textStart;
  let units = first;
  while (start < source.length) {
    const end = lineEndAfter(source, start + units);
    const window: Window = { source, start, end };
    const parsed = parseWindow(window, definitions);
    const cut = end === source.length ? parsed.blocks.length : lastCut(parsed, source);
    if (cut === 0 && end < source.length) {
      yield { kind: 'tail', blocks: draw(parsed, parsed.blocks) };
      units *= 2;
      continue;
    }
    const blocks = parsed.blocks.slice(0, cut);
    const next = blockRanges(parsed)[cut];
    const partEnd = next === undefined ? end : lineStart(source, next.start);
    const own = [...definitionsIn(blocks)].slice(0, definitionsMax - definitions.length);
    const knew = definitions.length;
    for (const definition of own) homes.set(definition, parsed);
    definitions.push(...own);
    yield { kind: 'blocks', part: parts.length, blocks: draw(parsed, blocks) };
    parts.push({ window: { ...window, end: partEnd }, parsed, blocks, definitions: own, knew });
    if (next !== undefined && parts.length === 1) {
      yield { kind: 'tail', blocks: draw(parsed, parsed.blocks.slice(cut)) };
    }
    start = partEnd;
    units = further;
  }

  footnotes = createNumbers();
  /** As of reading the parts: the second reading below replaces some of them. */
  const named = definitions.map((definition) => ({ definition, mark: markOf(definition) }));
  const hasFootnotes = definitions.some(isFootnote);
  for (const [part, { window, parsed, blocks, definitions: own, knew }] of parts.entries()) {
    const text = normal(source.slice(window.start, window.end));
    const others = new Set(named.map(({ definition }) => definition)).difference(new Set(own));
    if (named.slice(knew).some(({ definition, mark }) => others.has(definition) && text.includes(mark))) {
      const again = parseWindow(window, [...others]);
      const fresh = [...definitionsIn(again.blocks)];
      for (const [at, before] of own.entries()) {
        const definition = fresh[at];
        if (definition === undefined) continue;
        definitions[definitions.indexOf(before)] = definition;
        homes.set(definition, again);
      }
      yield { kind: 'blocks', part, blocks: draw(again, again.blocks) };
    } else if (hasFootnotes && text.includes('[^')) {
      yield { kind: 'blocks', part, blocks: draw(parsed, blocks) };
    }
  }
  if (footnotes.inOrder.length > 0) yield { kind: 'footnotes', blocks: drawFootnotes() };

  function drawFootnotes(): readonly ReadingNode[] {
    const drawn: ReadingNode[] = [];
    for (const { number, definition } of numberedFootnotes(footnotes, definitions)) {
      const home = homes.get(definition);
      if (home === undefined) continue;
      const start = (definition.position?.start.offset ?? 0) + home.shift;
      const end = (definition.position?.end.offset ?? 0) + home.shift;
      const children = draw(home, definition.children);
      drawn.push({ name: 'section', start, end, children, facts: { footnote: number } });
    }
    return drawn;
  }
}

/** The index of the last block after an empty line, which can start a new part; 0 if there is no such block. */
function lastCut(parsed: ParsedWindow, source: string): number {
  const ranges = blockRanges(parsed);
  for (let at = ranges.length - 1; at > 0; at -= 1) {
    const between = source.slice(ranges[at - 1]?.end ?? 0, ranges[at]?.start ?? 0);
    if ((between.match(/\r\n|\n|\r/g) ?? []).length >= 2) return at;
  }
  return 0;
}

function lineEndAfter(text: string, from: number): number {
  if (from >= text.length) return text.length;
  const found = /\r\n|\n|\r/g;
  found.lastIndex = from;
  // Not between the two halves of a line end.
  if (text[from - 1] === '\r' && text[from] === '\n') return from + 1;
  return found.exec(text) === null ? text.length : found.lastIndex;
}

function lineStart(text: string, at: number): number {
  return Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
}

/** A reference to a definition as it appears in a normalised text. */
function markOf({ type, identifier }: Definition): string {
  return type === 'definition' ? `[${normal(identifier)}]` : `[^${normal(identifier)}]`;
}

/** Normalises a reference name for comparison: collapses white space, ignores case. */
function normal(text: string): string {
  return text
    .replaceAll(/[\t\n\r ]+/g, ' ')
    .replaceAll('[ ', '[')
    .replaceAll(' ]', ']')
    .toLowerCase()
    .toUpperCase();
}

function withIds(blocks: ReadingNode[], slugs: ReturnType<typeof createSlugs>): readonly ReadingNode[] {
  return blocks.map((block) => {
    if (!('name' in block) || !/^h[2-6]$/.test(block.name)) return block;
    return { ...block, facts: { ...block.facts, id: slugs.of(plainTextOf(block), block.start) } };
  });
}

/** Creates unique slugs of headings for links within the file, as GitHub does. */
function createSlugs() {
  /** The last number used for each slug; each slug given out has an entry. */
  const counts = new Map<string, number>();
  const given = new Map<number, { readonly slug: string; readonly id: string }>();
  return {
    /** Returns the same slug when a heading is read again. */
    of(text: string, start: number): string {
      const slug = slugOf(text);
      const before = given.get(start);
      if (before?.slug === slug) return before.id;
      let id = slug;
      let count = counts.get(slug) ?? 0;
      while (counts.has(id)) {
        count += 1;
        id = `${slug}-${count}`;
      }
      counts.set(slug, count);
      counts.set(id, counts.get(id) ?? 0);
      given.set(start, { slug, id });
      return id;
    },
  };
}

export function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
