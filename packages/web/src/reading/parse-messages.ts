import type { FrontMatter } from './markdown/front-matter.ts';
import type { ReadingPart } from './markdown/read-markdown.ts';

/** What the page and the worker that parses markdown say to each other. */
export type ToWorker =
  | { readonly kind: 'read'; readonly id: number; readonly source: string }
  | { readonly kind: 'stop'; readonly id: number };

export type FromWorker =
  | { readonly kind: 'front_matter'; readonly id: number; readonly frontMatter: FrontMatter }
  | { readonly kind: 'part'; readonly id: number; readonly part: ReadingPart }
  | { readonly kind: 'done'; readonly id: number };
