import type { UndoLeftReason, UndoOutcome } from '@stoa/core';
import { counted } from '../plurals.ts';

const files = (count: number) => counted(count, 'file', 'files');

const would: Readonly<Record<Exclude<UndoOutcome, 'left'>, string>> = {
  restored: 'as it was before',
  merged: 'without these changes; what others wrote stays',
  deleted: 'deleted: nobody else wrote in it',
  recreated: 'brought back',
  unchanged: 'nothing of these changes is left in it',
};

const did: typeof would = {
  restored: 'is as it was before',
  merged: 'is without these changes; what others wrote has stayed',
  deleted: 'was deleted: nobody else had written in it',
  recreated: 'is back',
  unchanged: 'had nothing of these changes left in it',
};

const reasons: Readonly<Record<UndoLeftReason, string>> = {
  lines_overlap: 'others changed the same lines: change them by hand, or restore a version from the history',
  not_text: 'others changed it too, and it is not text: restore a version from the history',
  too_large: 'others changed it too, and it is too large to merge: restore a version from the history',
  too_many_versions: 'it has too many versions since then: choose a shorter time',
  version_not_kept: 'a version from before is no longer kept: change it by hand',
  changed_by_others: 'others have changed it since it was created: delete it if nobody needs it',
  path_taken: 'something else is at its place: move that, then undo again',
  moved: 'it was only moved: move it back if you want it there',
  workspace_full: 'the workspace is full: make room, then undo again',
  busy: 'it was being changed all the time: undo again',
};

/** Texts of undoing what one person or key did. */
export const undoing = {
  more: (who: string, time: string) => `More for ${who}, ${time}`,
  since: (who: string, time: string) => `Undo what ${who} did since ${time}`,
  onlyIn: (who: string, name: string, time: string) => `Undo what ${who} did in ${name} since ${time}`,
  title: (who: string) => `Undo what ${who} did`,
  description: 'What others wrote stays, and each file keeps its versions.',
  sinceField: 'Since',
  untilField: 'Until',
  untilDescription: 'empty: up to now',
  whereField: 'Where',
  wholeWorkspace: 'The whole workspace',
  preview: 'What would change',
  looking: 'Looking at what would change.',
  nothing: 'Nothing of what was done then is left to undo.',
  wouldChange: (changed: number, left: number) => {
    const change = `${changed === 0 ? 'Nothing' : files(changed)} would change`;
    return left === 0 ? `${change}.` : `${change}, ${files(left)} would be left alone.`;
  },
  andMore: 'There are more files than are listed here.',
  changes: 'Files that change',
  changed: 'Files that were changed',
  left: 'Files that are left alone',
  leftAlone: 'Files that were left alone',
  would: (outcome: keyof typeof would) => would[outcome],
  did: (outcome: keyof typeof did) => did[outcome],
  reason: (reason: UndoLeftReason) => reasons[reason],
  lines: (added: number, removed: number) =>
    [
      added === 0 ? '' : counted(added, 'line comes back', 'lines come back'),
      removed === 0 ? '' : counted(removed, 'line goes', 'lines go'),
    ]
      .filter((part) => part !== '')
      .join(', '),
  movedFrom: (path: string) => `It stays here, where it was moved from ${path}.`,
  notListed: (count: number) => `${counted(count, 'more', 'more')} not listed here.`,
  action: (count: number) => (count === 0 ? 'Undo' : `Undo in ${files(count)}`),
  progress: (done: number, all: number) => `${done} of ${files(all)} looked through.`,
  stop: 'Stop',
  done: (changed: number, left: number) => {
    const done = changed === 0 ? 'Nothing was undone.' : `Undone in ${files(changed)}.`;
    return left === 0 ? done : `${done} ${files(left)} left alone.`;
  },
  stopped: 'It was stopped: the rest was not changed.',
  close: 'Close',
  noSince: 'Fill in since when.',
  endsBefore: 'Until must not be before since.',
  failed: (changed: number, message: string) =>
    changed === 0
      ? `It did not go through. ${message} Try again, or choose a shorter time or a folder: what is done is not done twice.`
      : `Undone in ${files(changed)}, then it stopped. ${message} Undo again: what is done is not done twice.`,
} as const;
