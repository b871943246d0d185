import { similarity } from '../anchoring/text/similarity.ts';
import { encodeText } from '../anchoring/text/utf8.ts';
import { lineTextAt } from './line-ranges.ts';

/** A line that a caller may have meant. */
export interface ListedLine {
  readonly line: number;
  readonly text: string;
}

const similarityMin = 0.75;
const listedMax = 3;
/** Longer lines are not compared: they are not copied by hand. */
const comparedMax = 1000;
/** Lines that are measured one by one. An upper bound of their similarity first excludes the others. */
const measuredMax = 500;
const listedTextMax = 500;
const buckets = 64;
const wordsMax = 50;
const wordPattern = /[\p{L}\p{N}]+/gu;

interface Candidate {
  readonly line: number;
  readonly start: number;
  readonly alike: number;
  /** The words of the wanted line that this one has, in order. */
  readonly words: readonly string[];
}

/**
 * Returns the lines of `text` that are most similar to the first line of `wanted` that is not blank, best first. A
 * line's similarity is that of the whole line, or of the wanted words that it has. Words that few of these lines have
 * weigh more, so that "Step 3" differs from "Step 4". Words inserted between them weigh little.
 */
export function closestLines(text: string, wanted: string): readonly ListedLine[] {
  const sought = wanted
    .split('\n')
    .find((each) => each.trim() !== '')
    ?.trim();
  if (sought === undefined || sought.length > comparedMax) return [];
  const soughtBytes = encodeText(sought);
  const counts = countCharacters(sought);
  const soughtWords = wordsOf(sought).slice(0, wordsMax);
  const candidates: Candidate[] = [];
  for (let at = 0, number = 1; at < text.length && candidates.length < measuredMax; number += 1) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const isComparable = end - at <= 4 * comparedMax;
    const line = isComparable ? text.slice(at, end).trim() : '';
    const start = at;
    at = end + 1;
    const share = commonShare(line, counts);
    if (share < similarityMin * sought.length) continue;
    const words = wordsInOrder(soughtWords, wordsOf(line));
    const bytes = encodeText(line);
    const isAlike = 2 * share >= similarityMin * (line.length + sought.length);
    const alike = isAlike
      ? similarity(
          bytes,
          { start: 0, end: bytes.length },
          soughtBytes,
          { start: 0, end: soughtBytes.length },
          similarityMin,
        )
      : 0;
    candidates.push({ line: number, start, alike, words });
  }
  const shares = wordShares(soughtWords, candidates);
  return candidates
    .map((each, at) => ({ ...each, share: shares[at] ?? 0 }))
    .filter(({ alike, share }) => alike >= similarityMin || share >= similarityMin)
    .map((each) => ({ ...each, worth: each.share + each.alike / 2 }))
    .sort((a, b) => b.worth - a.worth || a.line - b.line)
    .slice(0, listedMax)
    .map(({ line, start }) => ({ line, text: lineTextAt(text, start, listedTextMax) }));
}

/** By candidate: its share of the wanted words by weight, from 0 to 1; 0 if a single word is wanted. */
function wordShares(wanted: readonly string[], candidates: readonly Candidate[]): readonly number[] {
  if (wanted.length < 2) return candidates.map(() => 0);
  const having = new Map<string, number>();
  for (const { words } of candidates)
    for (const word of new Set(words)) having.set(word, (having.get(word) ?? 0) + 1);
  // A word that no line has does not distinguish them.
  const weightOf = (word: string) => 1 / (1 + (having.get(word) ?? candidates.length));
  const sum = (words: readonly string[]) => words.reduce((total, word) => total + weightOf(word), 0);
  const all = sum(wanted);
  return candidates.map(({ words }) => sum(words) / all);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(wordPattern) ?? [];
}

/** Returns the wanted words that the line has in the same order, chosen greedily. */
function wordsInOrder(wanted: readonly string[], line: readonly string[]): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (const word of wanted) {
    const at = line.indexOf(word, from);
    if (at === -1) continue;
    found.push(word);
    from = at + 1;
  }
  return found;
}

/** Returns an upper bound of the characters that both have. */
function commonShare(line: string, counts: Int32Array): number {
  const own = countCharacters(line);
  let common = 0;
  for (let i = 0; i < buckets; i += 1) common += Math.min(own[i] ?? 0, counts[i] ?? 0);
  return common;
}

function countCharacters(text: string): Int32Array {
  const counts = new Int32Array(buckets);
  for (let i = 0; i < text.length; i += 1) {
    const bucket = text.charCodeAt(i) % buckets;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}
