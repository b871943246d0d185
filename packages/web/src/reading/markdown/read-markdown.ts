import { frontMatterBlock } from '@stoa/core';
import type { FootnoteDefinition } from 'mdast';
import {
  blockRanges,
  type Definition,
  definitionsIn,
  type ParsedWindow,
  parseWindow,
  readingBlocks,
  type Window,
} from './parse-window.ts';
import { plainTextOf, type ReadingNode } from './tree.ts';

/** What reading a file yields, in this order but for `blocks` of a part that comes again. */
export type ReadingPart =
  /** Blocks that are settled; the same part again replaces them, once references in it are known. */
  | { readonly kind: 'blocks'; readonly part: number; readonly blocks: readonly ReadingNode[] }
  /** What stands behind the last part for now: the next one replaces it. */
  | { readonly kind: 'tail'; readonly blocks: readonly ReadingNode[] }
  | { readonly kind: 'footnotes'; readonly blocks: readonly ReadingNode[] };

/** The first part is small, so that the first screen does not wait for more. UTF-16 units. */
const firstWindowUnits = 16 * 1024;
const windowUnits = 64 * 1024;
/** So many definitions are known in other parts than their own: they are parsed again with each part. */
const definitionsMax = 2000;

interface Part {
  readonly window: Window;
  readonly parsed: ParsedWindow;
  readonly blocks: ParsedWindow['blocks'];
  readonly definitions: readonly Definition[];
  /** How many definitions of other parts were known when it was parsed. */
  readonly knew: number;
}

/**
 * Reads markdown part by part: parsing takes some 2 s for 1 MiB, and the first screen shall not wait for it. A block that is
 * followed by an empty line and another block cannot change any more, so each part ends there and the next one begins. Time
 * between two parts is bounded by the largest block.
 */
export function* readMarkdown(
  source: string,
  { first = firstWindowUnits, further = windowUnits } = {},
): Generator<ReadingPart, void, undefined> {
  const slugs = createSlugs();
  const definitions: Definition[] = [];
  const homes = new Map<Definition, ParsedWindow>();
  const parts: Part[] = [];
  let footnotes = createNumbers();
  const draw = (parsed: ParsedWindow, blocks: ParsedWindow['blocks']): readonly ReadingNode[] =>
    withIds(readingBlocks(parsed, blocks, { source, definitions, footnoteNumber: footnotes.of }), slugs);

  let start = frontMatterBlock(source)?.end ?? (source.startsWith('\ufeff') ? 1 : 0);
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
  /** As they were when the parts were read: some are replaced below by what a second reading makes of them. */
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

  /** In the order of their numbers; a footnote that another footnote names comes last. */
  function drawFootnotes(): readonly ReadingNode[] {
    const drawn: ReadingNode[] = [];
    const known = new Map(
      definitions
        .filter(isFootnote)
        .toReversed()
        .map((each) => [each.identifier, each]),
    );
    // The list grows while it is read: a footnote may name others.
    for (const [at, identifier] of footnotes.inOrder.entries()) {
      const definition = known.get(identifier);
      const home = definition === undefined ? undefined : homes.get(definition);
      if (definition === undefined || home === undefined) continue;
      const start = (definition.position?.start.offset ?? 0) + home.shift;
      const end = (definition.position?.end.offset ?? 0) + home.shift;
      const children = draw(home, definition.children);
      drawn.push({ name: 'section', start, end, children, facts: { footnote: at + 1 } });
    }
    return drawn;
  }
}

function isFootnote(definition: Definition): definition is FootnoteDefinition {
  return definition.type === 'footnoteDefinition';
}

/** The index of the last block that begins a new part: an empty line stands before it. 0: none. */
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

/** How a reference to a definition looks in a normal text. */
function markOf({ type, identifier }: Definition): string {
  return type === 'definition' ? `[${normal(identifier)}]` : `[^${normal(identifier)}]`;
}

/** As names of references are compared: white space as one space, without case. */
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

/** Names of headings for links within the file, as GitHub makes them; equal ones are counted. */
function createSlugs() {
  const known = new Map<string, Map<number, number>>();
  return {
    of(text: string, start: number): string {
      const slug = slugOf(text);
      const equal = known.get(slug) ?? new Map<number, number>();
      known.set(slug, equal);
      const before = equal.get(start) ?? equal.size;
      equal.set(start, before);
      return before === 0 ? slug : `${slug}-${before}`;
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

function createNumbers() {
  const numbers = new Map<string, number>();
  const inOrder: string[] = [];
  return {
    of(identifier: string): number {
      const number = numbers.get(identifier) ?? inOrder.push(identifier);
      numbers.set(identifier, number);
      return number;
    },
    inOrder: inOrder as readonly string[],
  };
}
