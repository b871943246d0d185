import type { SkipReason } from '@stoa/core';
import { counted } from '../output/human.ts';

/** Descriptions of skipped paths for the user, in singular and plural. */
const words: Readonly<Record<SkipReason, readonly [one: string, many: string]>> = {
  symlink: ['symlink', 'symlinks'],
  special_file: ['socket, pipe or device', 'sockets, pipes or devices'],
  ignored: ['ignored', 'ignored'],
  frozen: ['ignored since it was synced', 'ignored since they were synced'],
  nested_link: ['folder with a link of its own', 'folders with links of their own'],
  unreadable: ['cannot be read here', 'cannot be read here'],
  other_filesystem: ['on another disk', 'on another disk'],
  blocked: ['something here is in the way', 'have something in the way here'],
  in_use: ['in use by another program', 'in use by another program'],
  disk_full: ['waits for space on this disk', 'wait for space on this disk'],
  suspect_damage: ['damaged by a loss of power', 'damaged by a loss of power'],
  not_utf8: ['name that is not UTF-8', 'names that are not UTF-8'],
  name_refused: ['name that no workspace takes', 'names that no workspace takes'],
  name_not_possible: ['name this disk cannot hold', 'names this disk cannot hold'],
  hostile_name: ['name that is never written here', 'names that are never written here'],
  repository: ['part of a git repository', 'parts of git repositories'],
  form_collision: ['same name in another Unicode form', 'same names in another Unicode form'],
  case_collision: ['same name in another case', 'same names in another case'],
  not_on_server: ['not on the server', 'not on the server'],
  hidden_by_private: ['private to another member there', 'private to another member there'],
  bytes_missing: ['the server has lost its bytes', 'the server has lost their bytes'],
  transfer_failed: ['transfer that failed; tried again later', 'transfers that failed; tried again later'],
  too_large: ['larger than the server takes', 'larger than the server takes'],
  read_only: ['waits: the workspace is read-only', 'wait: the workspace is read-only'],
  quota: ['waits: the workspace is full', 'wait: the workspace is full'],
  file_count: ['waits: the workspace has too many files', 'wait: the workspace has too many files'],
  conflict_unsaved: ['conflict that the server has no room for', 'conflicts that the server has no room for'],
  newly_unignored: ['waits for `stoa ignore accept`', 'wait for `stoa ignore accept`'],
  newly_ignored: [
    'would no longer be synced; waits for `stoa ignore accept`',
    'would no longer be synced; wait for `stoa ignore accept`',
  ],
  storm: ['changed too often from both sides; waits', 'changed too often from both sides; wait'],
  changing: ['keeps changing', 'keep changing'],
};

/** Advice for reasons that sync cannot resolve alone. */
const nextSteps: Partial<Readonly<Record<SkipReason, string>>> = {
  blocked: 'move away what is in the way',
  name_refused: 'rename it',
  name_not_possible: 'rename it on the server',
  repository: 'move the repository out of this folder, or ignore it: stoa ignore add <folder>/',
  form_collision: 'rename one of the two',
  case_collision: 'rename or move away one of the two',
};

export function skippedNext(reason: string): string | null {
  return Object.hasOwn(nextSteps, reason) ? (nextSteps[reason as SkipReason] ?? null) : null;
}

/** Falls back to the reason itself, because another version of this program may know more reasons. */
export function skippedWords(reason: string): string {
  return Object.hasOwn(words, reason) ? words[reason as SkipReason][0] : reason;
}

/** `1 symlink, 2 names this disk cannot hold`. */
export function skippedSummary(counts: Iterable<readonly [reason: string, count: number]>): string {
  return [...counts]
    .map(([reason, count]) => {
      const [one, many] = Object.hasOwn(words, reason) ? words[reason as SkipReason] : [reason, reason];
      return counted(count, one, many);
    })
    .join(', ');
}
