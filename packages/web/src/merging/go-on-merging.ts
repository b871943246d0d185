import { applyTextEdits, mergeTexts, type TextEdit } from '@stoa/core';
import type { Difference, Merged } from './differences.ts';

/**
 * Continues a merge after one of its two texts has changed. Decisions are kept, unless the newer text changed the same
 * passage. Undecided differences stay undecided.
 * @param side whose text was `before` and is `now`
 */
export function goOnMerging(left: Merged, side: 'mine' | 'theirs', before: string, now: string): Merged {
  // Temporarily uses that side's text in undecided differences, so that its changes apply there as well.
  const { text, slots } = side === 'theirs' ? withTheirs(left) : { text: left.text, slots: left.differences };
  const { edits, overlaps } = mergeTexts(before, text, now, { within: 'words' });
  const merged = applyTextEdits(text, edits);
  const opened = slots.map((slot, i): Slot => {
    const location = movedRange(slot, edits);
    const was = left.differences[i];
    const shown =
      side === 'theirs' ? left.text.slice(was?.from, was?.to) : merged.slice(location.from, location.to);
    const mine = side === 'theirs' ? slot.mine : shown;
    return {
      ...location,
      mine,
      shown,
      theirs: side === 'theirs' ? merged.slice(location.from, location.to) : slot.theirs,
    };
  });
  const overlapping = overlaps.map((overlap): Slot => {
    const location = movedRange({ from: overlap.mine.start, to: overlap.mine.end }, edits);
    const shown = merged.slice(location.from, location.to);
    return {
      ...location,
      mine: shown,
      shown,
      theirs: now.slice(overlap.theirs.start, overlap.theirs.end),
    };
  });
  return shownWith(merged, inGroups(merged, { opened, overlapping, side }));
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A difference before its shown text has been inserted. */
interface Slot extends Difference {
  readonly shown: string;
}

function withTheirs({ text, differences }: Merged): {
  readonly text: string;
  readonly slots: readonly Difference[];
} {
  let grown = 0;
  const slots = differences.map((difference) => {
    const from = difference.from + grown;
    grown += difference.theirs.length - (difference.to - difference.from);
    return { ...difference, from, to: from + difference.theirs.length };
  });
  const edits = differences.map(({ from, to, theirs }) => ({ start: from, end: to, text: theirs }));
  return { text: applyTextEdits(text, edits), slots };
}

/** Maps a range through the edits. An edit that overlaps the range extends it; an adjacent one does not. */
function movedRange({ from, to }: Range, edits: readonly TextEdit[]): Range {
  let [start, end] = [from, to];
  let [before, within] = [0, 0];
  for (const edit of edits) {
    const grown = edit.text.length - (edit.end - edit.start);
    if (edit.end <= from) {
      before += grown;
    } else if (edit.start < to) {
      start = Math.min(start, edit.start);
      end = Math.max(end, edit.end);
      within += grown;
    }
  }
  return { from: start + before, to: end + before + within };
}

/** Joins overlapping differences into one: each side's text is that of the whole range. */
function inGroups(
  text: string,
  {
    opened,
    overlapping,
    side,
  }: {
    readonly opened: readonly Slot[];
    readonly overlapping: readonly Slot[];
    readonly side: 'mine' | 'theirs';
  },
): readonly Slot[] {
  const all = [...opened, ...overlapping].sort((a, b) => a.from - b.from || a.to - b.to);
  const groups: Slot[][] = [];
  let end = -1;
  for (const slot of all) {
    if (slot.from < end) groups.at(-1)?.push(slot);
    else groups.push([slot]);
    end = Math.max(end, slot.to);
  }
  return groups.map((slots) => {
    const [only] = slots;
    if (only !== undefined && slots.length === 1) return only;
    const range = {
      from: Math.min(...slots.map(({ from }) => from)),
      to: Math.max(...slots.map(({ to }) => to)),
    };
    const replaced = (chosen: readonly Slot[], by: (slot: Slot) => string) => {
      const edits = chosen.map((slot) => ({
        start: slot.from - range.from,
        end: slot.to - range.from,
        text: by(slot),
      }));
      return applyTextEdits(text.slice(range.from, range.to), edits);
    };
    const those = (chosen: readonly Slot[]) => slots.filter((slot) => chosen.includes(slot));
    const shown = replaced(those(opened), (slot) => slot.shown);
    // If their side has changed, the merged text has their newer text.
    const theirs = replaced(those(side === 'theirs' ? overlapping : opened), (slot) => slot.theirs);
    return { ...range, mine: shown, shown, theirs };
  });
}

function shownWith(text: string, slots: readonly Slot[]): Merged {
  let grown = 0;
  const differences = slots.map(({ from, to, mine, shown, theirs }) => {
    const start = from + grown;
    grown += shown.length - (to - from);
    return { from: start, to: start + shown.length, mine, theirs };
  });
  const edits = slots.map(({ from, to, shown }) => ({ start: from, end: to, text: shown }));
  return { text: applyTextEdits(text, edits), differences };
}
