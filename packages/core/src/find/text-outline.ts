import { composeFrontMatter } from '../files/front-matter.ts';
import { frontMatterBlock } from '../files/front-matter-block.ts';
import { foldCase } from '../search/find-lines.ts';

/** Parts of a markdown text that Find ranks and filters by. */
export interface TextOutline {
  /** `title` of the front matter, else the first heading of level 1; null without one. */
  readonly title: string | null;
  readonly headings: readonly string[];
  /** `tags` of the front matter, folded by `foldCase`, without `#`. */
  readonly tags: readonly string[];
}

const headingsMax = 200;
const tagsMax = 100;
const titleMaxCharacters = 300;
const fence = /^ {0,3}(```+|~~~+)/;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;

/** Reads the outline of a markdown text. */
export function outlineOf(text: string): TextOutline {
  const block = frontMatterBlock(text);
  const fields = block === null ? {} : fieldsOf(text.slice(block.contentStart, block.contentEnd));
  const headings: string[] = [];
  let firstTitle: string | null = null;
  let openFence: string | null = null;
  for (const line of text.slice(block?.end ?? 0).split('\n')) {
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined) {
      if (openFence === null) openFence = mark;
      else if (mark.startsWith(openFence)) openFence = null;
      continue;
    }
    if (openFence !== null || !line.includes('#')) continue;
    const [, level, words] = heading.exec(line.replace(/\r$/, '')) ?? [];
    if (level === undefined || words === undefined || words === '') continue;
    headings.push(words.slice(0, titleMaxCharacters));
    if (level === '#') firstTitle ??= words;
    if (headings.length === headingsMax) break;
  }
  const title = (fields.title ?? firstTitle)?.slice(0, titleMaxCharacters) ?? null;
  return { title, headings, tags: fields.tags ?? [] };
}

function fieldsOf(block: string): { readonly title?: string; readonly tags?: readonly string[] } {
  const value: unknown = composeFrontMatter(block)?.toJS() ?? null;
  if (typeof value !== 'object' || value === null) return {};
  const { title, tags } = value as { readonly title?: unknown; readonly tags?: unknown };
  const listed = typeof tags === 'string' ? tags.split(',') : Array.isArray(tags) ? tags : [];
  return {
    ...(typeof title === 'string' && title.trim() !== '' ? { title: title.trim() } : {}),
    tags: listed
      .slice(0, tagsMax)
      .map((tag) => foldCase(String(tag).trim().replace(/^#/, '')))
      .filter((tag) => tag !== ''),
  };
}
