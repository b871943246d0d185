import type { ReadingPart } from '@stoa/markdown';
import type { FrontMatter } from './front-matter.ts';

/** Messages between the page and the Markdown worker. */
export type ToWorker =
  | { readonly kind: 'read'; readonly id: number; readonly source: string }
  | { readonly kind: 'stop'; readonly id: number }
  /** The worker sends `front_matter`, or only `done` if the text has no front matter. */
  | { readonly kind: 'read_front_matter'; readonly id: number; readonly source: string }
  | { readonly kind: 'change_date'; readonly id: number; readonly source: string; readonly day: string };

export type FromWorker =
  | { readonly kind: 'front_matter'; readonly id: number; readonly frontMatter: FrontMatter }
  /** The text with another date; null if that is not safe. */
  | { readonly kind: 'date_changed'; readonly id: number; readonly text: string | null }
  | { readonly kind: 'part'; readonly id: number; readonly part: ReadingPart }
  | { readonly kind: 'done'; readonly id: number };
