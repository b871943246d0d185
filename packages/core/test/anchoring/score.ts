import { type Anchor, type ByteRange, matchAnchor, type ResolvedAnchor, resolveAnchor } from '@stoa/core';
import { type CorpusCase, type Unmarked, unmark } from './corpus/corpus-case.ts';
import { corpus } from './corpus/index.ts';
import { controlResponse } from './hypothesis-control.ts';

/**
 * `right`: the expected status and exactly the expected range. `near`: found, and the range overlaps the expected
 * one. `wrong range`: found where the reader expects another range or none. `lost`: not found or reported as unsure.
 */
export const verdicts = ['right', 'near', 'wrong range', 'lost'] as const;
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
  const placed = matchAnchor(question);
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
  responded: ByteRange | null,
  status: ResolvedAnchor['status'],
): Verdict {
  const after = unmark(each.after);
  const wanted = after === null ? null : byteRange(after);
  if (responded === null) return status === each.expected ? 'right' : wanted === null ? 'near' : 'lost';
  if (wanted === null) return 'wrong range';
  if (responded.start === wanted.start && responded.end === wanted.end) return 'right';
  return responded.start < wanted.end && wanted.start < responded.end ? 'near' : 'wrong range';
}

function controlVerdict(each: CorpusCase): Verdict | null {
  const before = unmark(each.before);
  if (before === null || before.start === before.end) return null;
  const after = unmark(each.after)?.text ?? each.after;
  const match = controlResponse(before.text, before, after);
  const range = match === null ? null : byteRange({ text: after, ...match });
  return judge(each, range, range === null ? 'outdated' : 'anchored');
}

/** The score of all cases as a table of markdown; the control has no points. */
export function scoreTable(): string {
  const kinds = scoresByKind();
  return markdownTable([
    ['', 'Cases', 'Right', 'Near', 'Wrong range', 'Lost'],
    ['Stoa', ...counts(kinds.flatMap(({ ours }) => ours))],
    ['Control', ...counts(kinds.flatMap(({ control }) => control))],
  ]);
}

/** The same for each kind of edit. */
export function scoreTableByKind(): string {
  const rows = scoresByKind().map(({ kind, ours, control }) => [kind, ...counts(ours), ...counts(control)]);
  const columns = (name: string) => [`${name} cases`, ...verdicts.map((each) => `${name} ${each}`)];
  return markdownTable([['Edits', ...columns('Stoa'), ...columns('Control')], ...rows]);
}

interface KindScore {
  readonly kind: string;
  readonly ours: readonly Verdict[];
  readonly control: readonly Verdict[];
}

function scoresByKind(): readonly KindScore[] {
  return [...corpus].map(([kind, cases]) => ({
    kind,
    ours: cases.map((each) => {
      const resolved = resolveCase(each);
      return judge(each, resolved.range, resolved.status);
    }),
    control: cases.map(controlVerdict).filter((each) => each !== null),
  }));
}

function counts(found: readonly Verdict[]): readonly string[] {
  return [found.length, ...verdicts.map((verdict) => found.filter((each) => each === verdict).length)].map(
    String,
  );
}

function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Returns the cases that are not `right`, with their results. */
export function misses(): readonly string[] {
  return [...corpus.values()].flat().flatMap((each) => {
    const resolved = resolveCase(each);
    return judge(each, resolved.range, resolved.status) === 'right' ? [] : [each.name];
  });
}
