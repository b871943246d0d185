import type { CorpusCase } from './corpus-case.ts';
import { deletions } from './deletions.ts';
import { duplicates } from './duplicates.ts';
import { editsElsewhere } from './edits-elsewhere.ts';
import { editsInside } from './edits-inside.ts';
import { moves } from './moves.ts';
import { points } from './points.ts';
import { secondRound } from './second-round.ts';
import { thirdRound } from './third-round.ts';
import { typography } from './typography.ts';

/** By kind of edit. */
export const corpus: ReadonlyMap<string, readonly CorpusCase[]> = new Map([
  ['Edits elsewhere', editsElsewhere],
  ['Edits inside the quote', editsInside],
  ['Moves', moves],
  ['Deletions', deletions],
  ['Duplicates', duplicates],
  ['Typography and layout', typography],
  ['Points', points],
  ['Second round', secondRound],
  ['Third round', thirdRound],
]);
