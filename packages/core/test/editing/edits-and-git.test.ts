import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedRanges, editText, type WantedEdit } from '../../src/index.ts';
import { comparedCases, mergeLine, readGitMerges } from '../merge/git-merges.ts';
import type { MergeCase } from '../merge/merge-case.ts';

test('edits of an older text end as git merges them where that is clean', async () => {
  const merges = await readGitMerges();
  let [clean, rejected, finer] = [0, 0, 0];
  for (const [i, each] of comparedCases().entries()) {
    const edits = editsOf(each);
    const line = merges[i] ?? '';
    if (edits === null) continue;
    const outcome = editText([each.base, each.theirs], edits);
    if (!line.endsWith('conflict')) {
      assert.equal(outcome.kind, 'edited', each.name);
      if (outcome.kind === 'edited') assert.equal(mergeLine(each, outcome.text), line, each.name);
      clean += 1;
    } else if (outcome.kind === 'edited') {
      assertNothingLost(each, outcome.text);
      finer += 1;
    } else {
      assert.equal(outcome.kind, 'text_changed', each.name);
      rejected += 1;
    }
  }
  assert.ok(
    clean > 500 && rejected > 100 && finer > 20,
    `${clean} clean, ${rejected} rejected, ${finer} finer`,
  );
});

/** Returns edits from the base to `mine`, each with enough lines to be unique, or null if that is impossible. */
function editsOf({ base, mine }: MergeCase): readonly WantedEdit[] | null {
  const edits: WantedEdit[] = [];
  let reached = 0;
  for (const { older, newer } of changedRanges(base, mine)) {
    let { start, end } = older;
    while (start === end || isRepeated(base, base.slice(start, end))) {
      const [before, after] = [start, end];
      start = start === 0 ? 0 : base.lastIndexOf('\n', start - 2) + 1;
      end = end === base.length ? end : base.indexOf('\n', end) + 1 || base.length;
      if (start === before && end === after) return null;
    }
    if (start < reached) return null;
    reached = end;
    const oldText = base.slice(start, end);
    const newText =
      base.slice(start, older.start) + mine.slice(newer.start, newer.end) + base.slice(older.end, end);
    // An edit gets the line ends of the file, so it cannot express a change of line ends alone.
    if (mine.includes('\r') !== base.includes('\r')) return null;
    edits.push({ oldText, newText, all: false });
  }
  return edits.length === 0 ? null : edits;
}

function isRepeated(text: string, part: string): boolean {
  return text.indexOf(part) !== text.lastIndexOf(part);
}

/** Asserts that each word that only one side added exists, perhaps joined to the next word. */
function assertNothingLost({ name, base, mine, theirs }: MergeCase, merged: string): void {
  const old = new Set(base.split(/\s+/));
  for (const side of [mine, theirs]) {
    for (const word of side.split(/\s+/))
      assert.ok(old.has(word) || merged.includes(word), `${name}: ${word}`);
  }
}
