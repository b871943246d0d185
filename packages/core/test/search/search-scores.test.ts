import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import {
  fileNameOf,
  parseSearchQuery,
  type SearchedPath,
  type SearchQuery,
  searchedPath,
  type WorkspacePath,
} from '../../src/index.ts';
import { MatchScorer, worth } from '../../src/search/match-score.ts';
import { startWorthAt } from '../../src/search/word-starts.ts';
import { path, query } from './support/arbitrary-paths.ts';
import { listOf, search } from './support/run-search.ts';

/** Computes the score of one set of positions in a path from the definition of each part. */
function scoreOf(
  { folded, shown, nameStart }: SearchedPath,
  positions: readonly number[],
  { characters }: SearchQuery,
) {
  let score = 0;
  let isWhole = true;
  characters.forEach(({ startsTerm }, k) => {
    const at = positions[k] ?? 0;
    const gap = k === 0 ? 0 : at - (positions[k - 1] ?? 0) - (characters[k - 1]?.text.length ?? 0);
    score += worth.character + startWorthAt(shown, at) * (startsTerm ? worth.termStart : 1);
    if (k > 0 && gap === 0) score += worth.adjacent;
    else if (!startsTerm) score -= worth.gap + gap * worth.gapCharacter;
    isWhole = startsTerm || gap === 0;
  });
  const first = positions[0] ?? 0;
  if (first >= nameStart) score += worth.withinName;
  if (first === nameStart) score += worth.nameStart;
  const end = (positions.at(-1) ?? 0) + (characters.at(-1)?.text.length ?? 0);
  const stem = folded.slice(nameStart).replace(/(?<=.)\.[^.]*$/u, '');
  if (end > nameStart && isWhole) {
    if (end === folded.length) score += worth.nameEnd;
    else if (end === nameStart + stem.length) score += worth.stemEnd;
  }
  return score;
}

function* choices(
  folded: string,
  characters: SearchQuery['characters'],
  from = 0,
  taken: readonly number[] = [],
): Generator<readonly number[]> {
  const next = characters[taken.length];
  if (next === undefined) yield taken;
  else {
    for (let at = folded.indexOf(next.text, from); at !== -1; at = folded.indexOf(next.text, at + 1))
      yield* choices(folded, characters, at + next.text.length, [...taken, at]);
  }
}

/** The scores of all ways to match. */
function scoresOf(file: WorkspacePath, wanted: SearchQuery): readonly number[] {
  const searched = searchedPath(file);
  return [...choices(searched.folded, wanted.characters)].map((positions) =>
    scoreOf(searched, positions, wanted),
  );
}

const scored = (file: WorkspacePath, wanted: SearchQuery, scoreMin = 0) =>
  new MatchScorer(wanted).score(searchedPath(file), scoreMin);

test('the score is that of a way to match, or 1', () => {
  fc.assert(
    fc.property(path, query, (file, wanted) => {
      const scores = scoresOf(file, parseSearchQuery(wanted));
      fc.pre(scores.length > 0);
      const score = scored(file, parseSearchQuery(wanted));
      assert.ok(score === 1 || scores.includes(score), `${score} of ${scores}`);
    }),
    { numRuns: scaled(5000) },
  );
});

test('a name that is the whole query has the score of the best match', () => {
  fc.assert(
    fc.property(path, (file) => {
      const name = fileNameOf(file).replace(/\s/gu, '');
      fc.pre(name !== '' && name === fileNameOf(file));
      const wanted = parseSearchQuery(name);
      assert.equal(scored(file, wanted), Math.max(...scoresOf(file, wanted)));
    }),
    { numRuns: scaled(2000) },
  );
});

test('a path that cannot have the least score has none, and no other is skipped', () => {
  fc.assert(
    fc.property(path, query, fc.nat(150), (file, wanted, scoreMin) => {
      const parsed = parseSearchQuery(wanted);
      fc.pre(scoresOf(file, parsed).length > 0);
      const score = scored(file, parsed);
      const found = scored(file, parsed, scoreMin);
      assert.ok(found === score || (found === 0 && score < scoreMin), `${found}, ${score}`);
    }),
    { numRuns: scaled(5000) },
  );
});

test('a folder is scored like a file of the same path', () => {
  fc.assert(
    fc.property(path, query, (file, wanted) => {
      const folder = search(listOf([`${file}/x-${file}`.slice(0, 1000)]), wanted).results.find(
        (result) => result.path === file,
      );
      fc.pre(folder !== undefined);
      assert.equal(folder?.score, scored(file, parseSearchQuery(wanted)));
    }),
  );
});
