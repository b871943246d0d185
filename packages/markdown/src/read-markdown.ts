import type { Element, ElementContent, Root, RootContent } from 'hast';
import type { Nodes } from 'mdast';
import { createNumbers, numberedFootnotes } from './footnotes.ts';
import { cleanBlocks, definitionsIn, parseWindow, textStartOf } from './parse-window.ts';

/** Conversion to elements and to HTML recurses, and overflows the stack at some thousand levels. */
const levelsMax = 500;

/**
 * Reads a whole text as a sanitised tree. Links keep relative addresses and absolute ones of http, https and mailto;
 * pictures those of http, https and data. The caller replaces three kinds of elements. An `html` is a block of raw HTML,
 * as text. An `a` with `dataFootnote` refers to the footnote of this number. A `section` with `dataFootnote` is a
 * footnote. Footnotes follow the text, in the order of their numbers.
 * @param options.start offset of the text after the front matter
 * @returns null if the text nests more than 500 levels deep
 */
export function readMarkdown(
  source: string,
  { start = textStartOf(source) }: { readonly start?: number | undefined } = {},
): Root | null {
  const { blocks } = parseWindow({ source, start, end: source.length }, []);
  if (isDeeper(blocks, levelsMax)) return null;
  const definitions = [...definitionsIn(blocks)];
  const numbers = createNumbers();
  const context = {
    definitions,
    footnoteNumber: numbers.of,
    levelsDown: 0,
    shift: 0,
    keepText: () => 0,
    boxOf: () => undefined,
  };
  const children = cleanBlocks(blocks, context);
  for (const { number, definition } of numberedFootnotes(numbers, definitions)) {
    children.push({ type: 'text', value: '\n' }, footnote(number, cleanBlocks(definition.children, context)));
  }
  return { type: 'root', children };
}

function footnote(number: number, children: readonly RootContent[]): Element {
  return {
    type: 'element',
    tagName: 'section',
    properties: { dataFootnote: number },
    children: children.filter((child): child is ElementContent => child.type !== 'doctype'),
  };
}

function isDeeper(nodes: readonly Nodes[], levels: number): boolean {
  let level = nodes;
  for (let count = 0; count <= levels; count += 1) {
    level = level.flatMap((node) => ('children' in node ? node.children : []));
    if (level.length === 0) return false;
  }
  return true;
}
