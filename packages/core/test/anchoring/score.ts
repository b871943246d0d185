import { type Anchor, type ByteRange, placeAnchor, type ResolvedAnchor, resolveAnchor } from '@stoa/core';
import { type CorpusCase, type Unmarked, unmark } from './corpus/corpus-case.ts';
import { corpus } from './corpus/index.ts';
import { controlAnswer } from './hypothesis-control.ts';

/**
 * `right`: the expected status, and byte for byte the expected place. `near`: found, and the place overlaps the expected
 * one. `wrong place`: found where the reader expects another place or none. `lost`: not found, or said to be unsure.
 */
export const verdicts = ['right', 'near', 'wrong place', 'lost'] as const;
export type Verdict = (typeof verdicts)[number];

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function byteRange(marked: Unmarked): ByteRange {
  return {
    start: bytesOf(marked.text.slice(0, marked.start)).length,
    end: bytesOf(marked.text.slice(0, marked.end)).length,
  };
}

/** The anchor as it would be stored: placed in `text`, with the contexts found there. */
export function storedAnchor(text: string, range: ByteRange): Anchor {
  const content = bytesOf(text);
  const slice = (start: number, end: number) => new TextDecoder().decode(content.subarray(start, end));
  const contextBefore = slice(Math.max(0, range.start - 200), range.start).replace(/^\ufffd+/, '');
  const contextAfter = slice(range.end, range.end + 200).replace(/\ufffd+$/, '');
  if (range.start === range.end) return { kind: 'point', contextBefore, contextAfter };
  const quote = slice(range.start, range.end);
  const question = { content, kind: 'range' as const, quote };
  const placed = placeAnchor(question);
  return placed.kind === 'placed'
    ? {
        kind: 'range',
        quote: placed.quote,
        contextBefore: placed.contextBefore,
        contextAfter: placed.contextAfter,
      }
    : { kind: 'range', quote, contextBefore, contextAfter };
}

export function resolveCase(each: CorpusCase): ResolvedAnchor {
  const before = unmark(each.before);
  if (before === null) throw new Error(`${each.name}: nothing is quoted`);
  const pinnedRange = byteRange(before);
  return resolveAnchor({
    pinnedContent: bytesOf(before.text),
    pinnedRange,
    content: bytesOf(unmark(each.after)?.text ?? each.after),
    anchor: storedAnchor(before.text, pinnedRange),
  });
}

export function judge(
  each: CorpusCase,
  answered: ByteRange | null,
  status: ResolvedAnchor['status'],
): Verdict {
  const after = unmark(each.after);
  const wanted = after === null ? null : byteRange(after);
  if (answered === null) return status === each.expected ? 'right' : wanted === null ? 'near' : 'lost';
  if (wanted === null) return 'wrong place';
  if (answered.start === wanted.start && answered.end === wanted.end) return 'right';
  return answered.start < wanted.end && wanted.start < answered.end ? 'near' : 'wrong place';
}

function controlVerdict(each: CorpusCase): Verdict | null {
  const before = unmark(each.before);
  if (before === null || before.start === before.end) return null;
  const after = unmark(each.after)?.text ?? each.after;
  const place = controlAnswer(before.text, before, after);
  const range = place === null ? null : byteRange({ text: after, ...place });
  return judge(each, range, range === null ? 'outdated' : 'anchored');
}

/** The score as a table of markdown; the control has no points. */
export function scoreTable(): string {
  const head = [
    'Edits',
    'Cases',
    ...verdicts.map((each) => `Stoa ${each}`),
    ...verdicts.map((each) => `Control ${each}`),
  ];
  const totals = new Map<string, number>();
  const rows = [...corpus].map(([kind, cases]) => {
    const ours = cases.map((each) => {
      const resolved = resolveCase(each);
      return judge(each, resolved.range, resolved.status);
    });
    const control = cases.map(controlVerdict).filter((each) => each !== null);
    const counts = [
      cases.length,
      ...verdicts.map((verdict) => ours.filter((each) => each === verdict).length),
      ...verdicts.map((verdict) => control.filter((each) => each === verdict).length),
    ];
    counts.forEach((count, i) => {
      totals.set(`${i}`, (totals.get(`${i}`) ?? 0) + count);
    });
    return [kind, ...counts.map((count, i) => (i > 4 && control.length === 0 ? '–' : `${count}`))];
  });
  const lines = [head, head.map(() => '---'), ...rows, ['All', ...totals.values()]];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The cases that are not `right`, with what was answered. */
export function misses(): readonly string[] {
  return [...corpus.values()].flat().flatMap((each) => {
    const resolved = resolveCase(each);
    return judge(each, resolved.range, resolved.status) === 'right' ? [] : [each.name];
  });
}
