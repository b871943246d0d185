import type { Element, Nodes as HastNode } from 'hast';
import { sanitize } from 'hast-util-sanitize';
import type * as mdast from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toHast } from 'mdast-util-to-hast';
import { gfm } from 'micromark-extension-gfm';
import { cleanSchema } from './clean-schema.ts';
import { hastHandlers } from './hast-handlers.ts';
import { slicePieces, textPieces } from './text-pieces.ts';
import { type ReadingElement, type ReadingFacts, type ReadingNode, readingNames } from './tree.ts';

/** A part of a file that is parsed at once: from the start of a block to the end of a line. Offsets of the source. */
export interface Window {
  readonly source: string;
  readonly start: number;
  readonly end: number;
}

declare module 'hast' {
  interface TextData {
    /** The number under which the text's place in the source is kept. */
    readonly kept?: number;
  }
}

/**
 * Without the transforms: they look for addresses in finished texts, and what they find has no place in the source. What
 * the tokenizer itself finds stays.
 */
const gfmNodes = gfmFromMarkdown().map(({ transforms: _, ...rest }) => rest);

export type Definition = mdast.Definition | mdast.FootnoteDefinition;

export interface ParsedWindow {
  /** Its top-level blocks. */
  readonly blocks: readonly mdast.RootContent[];
  readonly piecesOf: (node: object) => readonly number[];
  /** Added to the tree's offsets for those of the source. */
  readonly shift: number;
}

/**
 * The tree of one part of a file. Definitions that stand in other parts are put before it: their names decide what is a
 * reference.
 */
export function parseWindow({ source, start, end }: Window, others: readonly Definition[]): ParsedWindow {
  const { extension, piecesOf } = textPieces();
  const prefix = prefixFor(others);
  const tree = fromMarkdown(prefix + source.slice(start, end), {
    extensions: [gfm({ singleTilde: false })],
    mdastExtensions: [...gfmNodes, extension],
  });
  const blocks = tree.children.filter((node) => offsetOf(node) >= prefix.length);
  return { blocks, piecesOf, shift: start - prefix.length };
}

/** Where each block of a parsed window begins and ends in the source. */
export function blockRanges({
  blocks,
  shift,
}: ParsedWindow): { readonly start: number; readonly end: number }[] {
  return blocks.map((node) => ({
    start: offsetOf(node) + shift,
    end: (node.position?.end.offset ?? 0) + shift,
  }));
}

export interface DrawContext {
  readonly source: string;
  /** Of the whole file, the first of a name before later ones. */
  readonly definitions: readonly Definition[];
  footnoteNumber(identifier: string): number;
}

/** What is drawn of a part of a window's tree: one node for each block that shows something. */
export function readingBlocks(
  { piecesOf, shift }: Pick<ParsedWindow, 'piecesOf' | 'shift'>,
  blocks: readonly mdast.RootContent[],
  { source, definitions, footnoteNumber }: DrawContext,
): ReadingNode[] {
  const kept: (readonly number[])[] = [];
  const keepText = (node: object): number => kept.push(piecesOf(node)) - 1;
  const handlers = hastHandlers({ source, shift, keepText, footnoteNumber });
  const root: mdast.Root = { type: 'root', children: [...definitions.filter(isLinkDefinition), ...blocks] };
  const clean = sanitize(toHast(root, { handlers }), cleanSchema);
  return readingNodes('children' in clean ? clean.children : [clean], { kept, shift });
}

interface Compacting {
  readonly kept: readonly (readonly number[])[];
  readonly shift: number;
}

/** The sanitised tree without all that drawing does not need: it crosses from the worker to the page. */
function readingNodes(nodes: readonly HastNode[], context: Compacting): ReadingNode[] {
  const made: ReadingNode[] = [];
  for (const node of nodes) {
    if (node.type === 'text') {
      const number = node.data?.kept;
      const pieces = typeof number === 'number' ? (context.kept[number] ?? []) : [];
      // Line ends between elements, which only lay HTML out.
      if (pieces.length === 0 && node.value.trim() === '') continue;
      made.push({ text: node.value, pieces: shifted(fitted(pieces, node.value.length), context.shift) });
    } else if (node.type === 'element') {
      const element = readingElement(node, context);
      if (element !== null) made.push(element);
    }
  }
  return made;
}

function readingElement(node: Element, context: Compacting): ReadingElement | null {
  const name = readingNames.find((each) => each === node.tagName);
  if (name === undefined) return null;
  const start = (node.position?.start.offset ?? 0) + context.shift;
  const end = (node.position?.end.offset ?? 0) + context.shift;
  return { name, start, end, children: readingNodes(node.children, context), facts: factsOf(node) };
}

function factsOf({ tagName, properties }: Element): ReadingFacts {
  const text = (name: string): string | undefined =>
    typeof properties[name] === 'string' ? properties[name] : undefined;
  const number = (name: string): number | undefined =>
    typeof properties[name] === 'number' ? properties[name] : undefined;
  const align = (['left', 'center', 'right'] as const).find((each) => each === properties.align);
  return given({
    href: text('href'),
    src: text('src'),
    alt: tagName === 'img' ? (text('alt') ?? '') : undefined,
    title: text('title'),
    align,
    startsAt: number('start'),
    language: text('dataLanguage'),
    isDone: tagName === 'input' ? properties.checked === true : undefined,
    checkAt: number('dataCheckAt'),
    footnote: number('dataFootnote'),
  });
}

function given(facts: { readonly [Key in keyof ReadingFacts]: ReadingFacts[Key] | undefined }): ReadingFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** A task's text begins after the space behind its box; the pieces still hold that space. */
function fitted(pieces: readonly number[], units: number): readonly number[] {
  let total = 0;
  for (let at = 0; at < pieces.length; at += 3) total += pieces[at] ?? 0;
  return total > units ? slicePieces(pieces, total - units, total) : pieces;
}

function shifted(pieces: readonly number[], shift: number): readonly number[] {
  return shift === 0 ? pieces : pieces.map((each, at) => (at % 3 === 0 ? each : each + shift));
}

function isLinkDefinition(node: Definition): node is mdast.Definition {
  return node.type === 'definition';
}

/** Those in these blocks and within them, in their order. */
export function* definitionsIn(nodes: readonly mdast.Nodes[]): Generator<Definition, void, undefined> {
  for (const node of nodes) {
    if (node.type === 'definition' || node.type === 'footnoteDefinition') yield node;
    if ('children' in node) yield* definitionsIn(node.children);
  }
}

/** The names of definitions as markdown, closed by a rule so that nothing behind it can belong to it. */
function prefixFor(definitions: readonly Definition[]): string {
  if (definitions.length === 0) return '';
  // An identifier is as it stands in the source, its escapes too.
  const lines = definitions.map(({ type, identifier }) =>
    type === 'definition' ? `[${identifier}]: #\n` : `[^${identifier}]: .\n`,
  );
  return `${lines.join('\n')}\n***\n\n`;
}

function offsetOf(node: mdast.Nodes): number {
  return node.position?.start.offset ?? 0;
}
