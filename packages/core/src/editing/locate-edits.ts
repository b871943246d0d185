import type { TextEdit, TextRange } from '../merge/text-edit.ts';
import { closestLines, type ListedLine } from './closest-line.ts';
import { visitFoldedTexts, visitTexts } from './find-texts.ts';
import { LineCounter, lineTextAt } from './line-ranges.ts';

/**
 * A text to be replaced, identified by its old text. With `all`, every match is replaced; without it, there must be
 * only one.
 */
export interface WantedEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}

/** One match of a wanted edit, whose number counts from 1. */
export interface LocatedEdit extends TextEdit {
  readonly edit: number;
}

export type UnlocatedEdit =
  | {
      readonly kind: 'text_not_found';
      readonly edit: number;
      /** The most similar line. */
      readonly closest: ListedLine | null;
      /** The next most similar ones, if any. */
      readonly alsoSimilar?: readonly ListedLine[];
    }
  | {
      readonly kind: 'text_ambiguous';
      readonly edit: number;
      readonly occurrences: number;
      readonly matches: readonly ListedLine[];
    }
  | { readonly kind: 'edits_overlap'; readonly edits: readonly [number, number] }
  /** `all` would replace more matches than allowed in one call. */
  | { readonly kind: 'too_many_places'; readonly edit: number; readonly most: number };

export interface LocatedEdits {
  readonly kind: 'located';
  /** In the order of the text. */
  readonly edits: readonly LocatedEdit[];
  /** The numbers of the wanted edits that match only with white space folded. */
  readonly folded: readonly number[];
}

const matchesListedMax = 10;
const listedTextMax = 200;
/** Matches that `all` may replace in one call. */
const matchesMax = 100_000;

/**
 * Finds each wanted edit in the same text, not one after the other, so their order does not matter. Matches exactly, or
 * else with white space folded (`visitFoldedTexts`). The new text gets the line ends of the text around it.
 */
export function locateEdits(text: string, wanted: readonly WantedEdit[]): LocatedEdits | UnlocatedEdit {
  const located: LocatedEdit[] = [];
  const folded: number[] = [];
  for (const [index, each] of wanted.entries()) {
    const edit = index + 1;
    let matches = findMatches(text, each, visitTexts);
    if (matches.occurrences === 0) {
      matches = findMatches(text, each, visitFoldedTexts);
      if (matches.occurrences > 0) folded.push(edit);
    }
    if (matches.occurrences === 0) {
      const [closest = null, ...alsoSimilar] = closestLines(text, each.oldText);
      return { kind: 'text_not_found', edit, closest, ...(alsoSimilar.length === 0 ? {} : { alsoSimilar }) };
    }
    if (matches.taken.length > matchesMax) return { kind: 'too_many_places', edit, most: matchesMax };
    if (!each.all && matches.occurrences > 1) {
      const { occurrences, taken } = matches;
      return { kind: 'text_ambiguous', edit, occurrences, matches: listLines(text, taken) };
    }
    for (const { start, end } of matches.taken)
      located.push({ start, end, text: withLineEndsOf(text, start, each.newText), edit });
  }
  located.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [i, each] of located.entries()) {
    const next = located[i + 1];
    if (next === undefined || next.start >= each.end) continue;
    const pair = [each.edit, next.edit].sort((a, b) => a - b);
    return { kind: 'edits_overlap', edits: [pair[0] ?? 0, pair[1] ?? 0] };
  }
  return { kind: 'located', edits: located, folded };
}

/** Counts all matches. The matches it returns overlap each other only without `all`. */
function findMatches(
  text: string,
  { oldText, all }: WantedEdit,
  visit: typeof visitTexts,
): { readonly occurrences: number; readonly taken: readonly TextRange[] } {
  const taken: TextRange[] = [];
  let occurrences = 0;
  visit(text, oldText, (match) => {
    occurrences += 1;
    if (all ? match.start >= (taken.at(-1)?.end ?? 0) : taken.length < matchesListedMax) taken.push(match);
    return taken.length <= matchesMax;
  });
  return { occurrences, taken };
}

function listLines(text: string, matches: readonly TextRange[]): readonly ListedLine[] {
  const counter = new LineCounter(text);
  return matches.map(({ start }) => ({
    line: counter.lineAt(start),
    text: lineTextAt(text, start, listedTextMax),
  }));
}

/**
 * Uses the line end of the first line that ends at the position or after it; without one, of the last line before it.
 */
function withLineEndsOf(text: string, match: number, newText: string): string {
  if (!newText.includes('\n')) return newText;
  const after = text.indexOf('\n', match);
  const at = after === -1 ? text.lastIndexOf('\n') : after;
  if (at === -1) return newText;
  const plain = newText.replaceAll('\r\n', '\n');
  return text.charCodeAt(at - 1) === 0x0d ? plain.replaceAll('\n', '\r\n') : plain;
}
