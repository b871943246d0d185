import { type Random, seededRandom } from '../../../../tests/support/random.ts';
import type { MergeCase } from './merge-case.ts';

/** Yields texts of few similar lines, typical documents, texts that one side rewrote, and long texts. */
export function* generatedCases(seed: number, scale = 1): Generator<MergeCase> {
  const random = seededRandom(seed);
  for (let i = 0; i < 900 * scale; i += 1) yield mergeCase(`few lines ${i}`, random, fewLines(random), 3);
  for (let i = 0; i < 700 * scale; i += 1) yield mergeCase(`document ${i}`, random, document(random, 12), 5);
  for (let i = 0; i < 500 * scale; i += 1) yield rewritten(`rewritten ${i}`, random);
  for (let i = 0; i < 150 * scale; i += 1) yield mergeCase(`long ${i}`, random, document(random, 120), 10);
}

/**
 * Paragraphs between blank lines. One side rewrote most of them, and the other made a few edits in between. The result
 * depends on which equal lines count as kept.
 */
function rewritten(name: string, random: Random): MergeCase {
  const base: string[] = [];
  while (base.length < 45 + random.below(15)) {
    for (let i = 3 + random.below(8); i > 0; i -= 1) base.push(`line ${base.length}`);
    base.push('', '');
    if (random.below(3) === 0) base.push('');
  }
  const mine = base.map((line, i) => (line.startsWith('line') && random.below(20) > 0 ? `mine ${i}` : line));
  const whole = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
  return {
    name,
    base: whole(base),
    mine: whole(mine),
    theirs: whole(edited(random, base, 1 + random.below(2))),
  };
}

/** All three texts of a case have the same line ends. */
const endings = ['\n', '\n', '\n', '\r\n'] as const;

function mergeCase(name: string, random: Random, base: readonly string[], editsMax: number): MergeCase {
  const shared = edited(random, base, random.below(3) === 0 ? 2 : 0);
  // Both sides start from the same shared edits.
  const mine = edited(random, shared, 1 + random.below(editsMax));
  const theirs = edited(random, shared, 1 + random.below(editsMax));
  const ending = random.pick(endings);
  const whole = (lines: readonly string[]): string => {
    const text = lines.map((line) => line + ending).join('');
    return random.below(6) === 0 ? text.slice(0, -ending.length || undefined) : text;
  };
  return { name, base: whole(base), mine: whole(mine), theirs: whole(theirs) };
}

function fewLines(random: Random): readonly string[] {
  return Array.from({ length: random.below(12) }, () => random.pick(['a', 'b', 'c', '']));
}

const words = ['ship', 'the', 'plan', 'agents', 'read', 'a', 'note', 'of', 'Friday', 'review', 'done', 'and'];

function document(random: Random, blocks: number): readonly string[] {
  const lines: string[] = [];
  for (let i = 1 + random.below(blocks); i > 0; i -= 1) lines.push(...block(random));
  return lines;
}

function block(random: Random): readonly string[] {
  const size = 1 + random.below(5);
  switch (random.below(4)) {
    case 0:
      return [`## ${randomLine(random, 2)}`, ''];
    case 1:
      return [...Array.from({ length: size }, () => `- [ ] ${randomLine(random, 1)}`), ''];
    case 2:
      return [
        '```',
        ...Array.from({ length: size }, () => random.pick(['{', '}', 'return;', ''])),
        '```',
        '',
      ];
    default:
      return [...Array.from({ length: size }, () => randomLine(random, 6)), ''];
  }
}

function randomLine(random: Random, size: number): string {
  return Array.from({ length: 1 + random.below(size) }, () => random.pick(words)).join(' ');
}

function edited(random: Random, base: readonly string[], edits: number): readonly string[] {
  const lines = [...base];
  for (let i = 0; i < edits; i += 1) {
    const at = random.below(lines.length + 1);
    const size = random.below(4);
    const taken = lines.slice(at, at + size);
    switch (random.below(6)) {
      case 0:
        lines.splice(at, size);
        break;
      case 1:
        lines.splice(at, 0, ...block(random));
        break;
      case 2:
        lines.splice(at, 0, ...taken);
        break;
      case 3:
        lines.splice(at, size);
        lines.splice(random.below(lines.length + 1), 0, ...taken);
        break;
      case 4:
        lines.splice(at, 1, random.pick(['a', 'b', '']));
        break;
      default:
        lines.splice(at, 1, `${lines[at] ?? ''} ${random.pick(words)}`.trim());
    }
  }
  return lines;
}
