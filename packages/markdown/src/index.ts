export { readMarkdown } from './read-markdown.ts';
export { type ReadingPart, readParts } from './read-parts.ts';
