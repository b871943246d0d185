import { judgeDataPicture } from '@stoa/core';
import type { Element, Nodes as HastNode, RootContent } from 'hast';
import { sanitize } from 'hast-util-sanitize';
import type * as mdast from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toHast } from 'mdast-util-to-hast';
import { gfm } from 'micromark-extension-gfm';
import { cleanSchema } from './clean-schema.ts';
import { type HandlerContext, hastHandlers } from './hast-handlers.ts';
import { sliceChunks, textChunks } from './text-parts.ts';
import { type ReadingElement, type ReadingFacts, type ReadingNode, readingNames } from './tree.ts';

/** A part of a file parsed at once: from the start of a block to the end of a line. Offsets in the source. */
export interface Window {
  readonly source: string;
  readonly start: number;
  readonly end: number;
}

declare module 'hast' {
  interface TextData {
    /** The number under which the text's range in the source is stored. */
    readonly kept?: number;
  }
}

/**
 * Without the transforms, which find addresses in finished texts and cannot map them to the source. Addresses found by
 * the tokenizer stay.
 */
const gfmNodes = gfmFromMarkdown().map(({ transforms: _, ...rest }) => rest);

/** Offset of the text after a byte order mark. */
export function textStartOf(source: string): number {
  return source.startsWith('\ufeff') ? 1 : 0;
}

export type Definition = mdast.Definition | mdast.FootnoteDefinition;

export interface ParsedWindow {
  /** Its top-level blocks. */
  readonly blocks: readonly mdast.RootContent[];
  readonly rangesOf: (node: object) => readonly number[];
  readonly boxOf: (item: object) => number | undefined;
  /** Added to offsets in the tree to get offsets in the source. */
  readonly shift: number;
}

/**
 * Parses one part of a file. Definitions of other parts are prepended, because their names decide what is a reference.
 */
export function parseWindow({ source, start, end }: Window, others: readonly Definition[]): ParsedWindow {
  const { extension, rangesOf: chunksOf, boxOf } = textChunks();
  const prefix = prefixFor(others);
  const tree = fromMarkdown(prefix + source.slice(start, end), {
    extensions: [gfm({ singleTilde: false })],
    mdastExtensions: [...gfmNodes, extension],
  });
  const blocks = tree.children.filter((node) => offsetOf(node) >= prefix.length);
  return { blocks, rangesOf: chunksOf, boxOf, shift: start - prefix.length };
}

/** The range of each block of a parsed window in the source. */
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
  /** Of the whole file; the first definition of a name precedes later ones. */
  readonly definitions: readonly Definition[];
  footnoteNumber(identifier: string): number;
  /** Added to the level of each heading. */
  readonly levelsDown: number;
}

/** Converts a part of a window's tree to nodes for rendering: one per visible block. */
export function readingBlocks(
  { rangesOf: chunksOf, boxOf, shift }: Omit<ParsedWindow, 'blocks'>,
  blocks: readonly mdast.RootContent[],
  drawing: DrawContext,
): ReadingNode[] {
  const kept: (readonly number[])[] = [];
  const keepText = (node: object): number => kept.push(chunksOf(node)) - 1;
  return readingNodes(cleanBlocks(blocks, { ...drawing, shift, keepText, boxOf }), { kept, shift });
}

/** Converts blocks to sanitised elements, with line ends between them. */
export function cleanBlocks(
  blocks: readonly mdast.RootContent[],
  { definitions, ...context }: DrawContext & HandlerContext,
): RootContent[] {
  const root: mdast.Root = { type: 'root', children: [...definitions.filter(isLinkDefinition), ...blocks] };
  const clean = sanitize(toHast(root, { handlers: hastHandlers(context) }), cleanSchema);
  return clean.type === 'root' ? clean.children : [];
}

interface Compacting {
  readonly kept: readonly (readonly number[])[];
  readonly shift: number;
}

/** Reduces the sanitised tree to what rendering needs, because the worker sends it to the page. */
function readingNodes(nodes: readonly HastNode[], context: Compacting): ReadingNode[] {
  const made: ReadingNode[] = [];
  for (const node of nodes) {
    if (node.type === 'text') {
      const number = node.data?.kept;
      const chunks = typeof number === 'number' ? (context.kept[number] ?? []) : [];
      // Line ends between elements only format the HTML.
      if (chunks.length === 0 && node.value.trim() === '') continue;
      made.push({ text: node.value, ranges: shifted(fitted(chunks, node.value.length), context.shift) });
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
  const src = text('src');
  const dataPicture = src === undefined ? null : judgeDataPicture(src);
  const notShown = dataPicture === null || dataPicture === 'picture' ? undefined : dataPicture;
  return given({
    href: text('href'),
    src: notShown === undefined ? src : undefined,
    notShown,
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

/** A task's text starts after the space behind its checkbox, but its source ranges still include that space. */
function fitted(chunks: readonly number[], units: number): readonly number[] {
  let total = 0;
  for (let at = 0; at < chunks.length; at += 3) total += chunks[at] ?? 0;
  return total > units ? sliceChunks(chunks, total - units, total) : chunks;
}

function shifted(chunks: readonly number[], shift: number): readonly number[] {
  return shift === 0 ? chunks : chunks.map((each, at) => (at % 3 === 0 ? each : each + shift));
}

function isLinkDefinition(node: Definition): node is mdast.Definition {
  return node.type === 'definition';
}

/** The definitions in these blocks and below, in order. */
export function* definitionsIn(nodes: readonly mdast.Nodes[]): Generator<Definition, void, undefined> {
  for (const node of nodes) {
    if (node.type === 'definition' || node.type === 'footnoteDefinition') yield node;
    if ('children' in node) yield* definitionsIn(node.children);
  }
}

/** The names of definitions as Markdown, ended by a rule so that no later text belongs to them. */
function prefixFor(definitions: readonly Definition[]): string {
  if (definitions.length === 0) return '';
  // An identifier is as in the source, including escapes.
  const lines = definitions.map(({ type, identifier }) =>
    type === 'definition' ? `[${identifier}]: #\n` : `[^${identifier}]: .\n`,
  );
  return `${lines.join('\n')}\n***\n\n`;
}

function offsetOf(node: mdast.Nodes): number {
  return node.position?.start.offset ?? 0;
}
