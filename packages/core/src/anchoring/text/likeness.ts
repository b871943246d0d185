import { similarity } from './similarity.ts';
import { encodeText } from './utf8.ts';

/** Measures how similar two short texts are, from 0 to 1; 0 also for a result below `least`. See `similarity`. */
export function likeness(a: string, b: string, least: number): number {
  const [left, right] = [encodeText(a), encodeText(b)];
  return similarity(left, { start: 0, end: left.length }, right, { start: 0, end: right.length }, least);
}
