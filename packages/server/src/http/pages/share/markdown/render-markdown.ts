import { readFrontMatter } from '@stoa/core/front-matter';
import { readMarkdown } from '@stoa/markdown';
import { htmlOf } from '@stoa/markdown/html';
import { pageTree } from './page-tree.ts';
import type { MarkdownNeighbours } from './resolve-neighbour.ts';

export interface MarkdownText {
  readonly text: string;
  /** The files shared with it; null if it is shared alone and may link only to the web. */
  readonly neighbours: MarkdownNeighbours | null;
}

/**
 * Renders Markdown as HTML that contains only text, its structure, links to the web and pictures of its neighbours; null
 * if it nests too deep.
 */
export function renderMarkdown({ text, neighbours }: MarkdownText): string | null {
  // Front matter is for programs. Other text between two rules at the top belongs to the author.
  const root = readMarkdown(text, { start: readFrontMatter(text)?.end });
  return root === null ? null : htmlOf(pageTree(root, neighbours));
}
