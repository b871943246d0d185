import { numberText, type UndoLeftReason, type UndoOutcome } from '@stoa/core';
import { counted } from '../plurals.ts';

const files = (count: number) => counted(count, 'file', 'files');

const would: Readonly<Record<Exclude<UndoOutcome, 'left'>, string>> = {
  restored: 'back to the earlier text',
  merged: 'without these changes; the text of others stays',
  deleted: 'deleted: no one else changed it',
  recreated: 'brought back',
  unchanged: 'none of these changes is left in it',
};

const did: typeof would = {
  restored: 'is back to the earlier text',
  merged: 'is without these changes; the text of others stays',
  deleted: 'was deleted: no one else had changed it',
  recreated: 'is back',
  unchanged: 'had none of these changes left in it',
};

const reasons: Readonly<Record<UndoLeftReason, string>> = {
  lines_overlap: 'others changed the same lines: change them by hand, or restore a version from the history',
  not_text: 'others also changed it, and it is not text: restore a version from the history',
  too_large: 'others also changed it, and it is too large to merge: restore a version from the history',
  too_many_versions: 'it has too many versions since then: choose a shorter time',
  version_not_kept: 'a version from before is no longer kept: change it by hand',
  changed_by_others: 'others have changed it since it was created: delete it if it is not needed',
  path_taken: 'another item has its path: move that, then undo again',
  moved: 'it was only moved: move it back if you want it there',
  workspace_full: 'the workspace is full: make room, then undo again',
  busy: 'it kept changing: undo again',
};

/** Texts of undoing the changes of one person or key. */
export const undoing = {
  more: (who: string, time: string) => `More for ${who}, ${time}`,
  since: (who: string, time: string) => `Undo what ${who} did since ${time}`,
  onlyIn: (who: string, name: string, time: string) => `Undo what ${who} did in ${name} since ${time}`,
  title: (who: string) => `Undo what ${who} did`,
  description: 'Text of others stays, and each file keeps its versions.',
  sinceField: 'Since',
  untilField: 'Until',
  untilDescription: 'empty: until now',
  whereField: 'Where',
  wholeWorkspace: 'The whole workspace',
  preview: 'The preview',
  looking: 'Checking the changes…',
  nothing: 'There’s nothing left to undo.',
  wouldChange: (changed: number, left: number) => {
    const change = `${changed === 0 ? 'Nothing' : files(changed)} would change`;
    return left === 0 ? `${change}.` : `${change}, ${files(left)} would be left alone.`;
  },
  andMore: 'There are more files than listed here.',
  changes: 'Files that change',
  changed: 'Files that were changed',
  left: 'Files that are left alone',
  leftAlone: 'Files that were left alone',
  would: (outcome: keyof typeof would) => would[outcome],
  did: (outcome: keyof typeof did) => did[outcome],
  reason: (reason: UndoLeftReason) => reasons[reason],
  lines: (added: number, removed: number) =>
    [
      added === 0 ? '' : counted(added, 'line restored', 'lines restored'),
      removed === 0
        ? ''
        : added === 0
          ? counted(removed, 'line removed', 'lines removed')
          : `${numberText(removed)} removed`,
    ]
      .filter((part) => part !== '')
      .join(', '),
  movedFrom: (path: string) => `It was moved from ${path} and stays here.`,
  notListed: (count: number) => `${counted(count, 'more', 'more')} not listed here.`,
  action: (count: number) => (count === 0 ? 'Undo' : `Undo in ${files(count)}`),
  progress: (done: number, all: number) => `${done} of ${files(all)} checked.`,
  stop: 'Stop',
  done: (changed: number, left: number) => {
    const done = changed === 0 ? 'Nothing was undone.' : `Undone in ${files(changed)}.`;
    return left === 0 ? done : `${done} ${files(left)} left alone.`;
  },
  stopped: 'Stopped. The other files were not changed.',
  close: 'Close',
  noSince: 'Enter a start time.',
  endsBefore: 'The end must not be before the start.',
  failed: (changed: number, message: string) =>
    changed === 0
      ? `The undo failed. ${message} Try again, or choose a shorter time or a folder. Nothing is undone twice.`
      : `Undone in ${files(changed)}, then it stopped. ${message} Undo again: nothing is undone twice.`,
} as const;
