export { type ReadingPart, readParts } from './read-parts.ts';
