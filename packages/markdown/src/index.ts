export type { Element, ElementContent, Root } from 'hast';
export { readMarkdown } from './read-markdown.ts';
export { type ReadingPart, readParts } from './read-parts.ts';
