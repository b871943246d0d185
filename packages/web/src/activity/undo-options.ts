import type { MemberRecord, UndoInput, UndoneFileRecord } from '@stoa/contract';
import { mayManageMembers } from '@stoa/core';
import type { Author } from '../api/credential.ts';
import type { ChangesToUndo } from '../ui/dialogs.ts';
import type { ActivityEntry } from './activity-entries.ts';

/** Comments and privacy are not undone. */
export function isUndoable({ what }: ActivityEntry): boolean {
  switch (what.kind) {
    case 'created':
    case 'saved':
    case 'deleted':
    case 'restored':
    case 'moved':
    case 'conflict':
      return true;
    default:
      return false;
  }
}

/** Owners and admins may undo changes of any author, members only their own and those of their keys. */
export function mayUndo(
  { actorId }: Pick<Author, 'actorId'>,
  userId: string | null,
  members: readonly Pick<MemberRecord, 'id' | 'role'>[],
): boolean {
  if (userId === null) return false;
  const role = members.find(({ id }) => id === userId)?.role;
  return role !== undefined && (actorId === userId || mayManageMembers(role));
}

/** The path's folders from the top of the workspace down, then the path itself. */
export function locationsAround(path: string): readonly string[] {
  const parts = path === '' ? [] : path.split('/');
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

/** Formats a time as the value of a local date and time field: `2026-11-22T14:00:05`. */
export function localText(iso: string): string {
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export interface UndoFields {
  readonly since: string;
  /** Empty: up to now. */
  readonly until: string;
  /** Empty: the whole workspace. */
  readonly where: string;
}

export function firstFields({ since, path, isOnlyThere }: ChangesToUndo): UndoFields {
  return { since: localText(since), until: '', where: isOnlyThere ? path : '' };
}

/**
 * Fields show whole seconds. An unchanged start keeps the exact time of the change; an end includes its whole second.
 */
export function undoOptions(
  from: ChangesToUndo,
  { since, until, where }: UndoFields,
): { readonly kind: 'options'; readonly options: UndoInput } | { readonly kind: 'no_since' | 'ends_before' } {
  const begin = since === localText(from.since) ? Date.parse(from.since) : Date.parse(since);
  if (Number.isNaN(begin)) return { kind: 'no_since' };
  const end = until === '' ? null : Date.parse(until) + 999;
  if (end !== null && !(end >= begin)) return { kind: 'ends_before' };
  const { actorKeyId, actorId } = from.actor;
  return {
    kind: 'options',
    options: {
      ...(actorKeyId === null ? { actorId } : { actorKeyId }),
      since: new Date(begin).toISOString(),
      ...(end === null ? {} : { until: new Date(end).toISOString() }),
      ...(where === '' ? {} : { path: where }),
    },
  };
}

/** Sorts files by outcome. Files with nothing left to undo are dropped. */
export function sortUndone(files: readonly UndoneFileRecord[]): {
  readonly changed: readonly UndoneFileRecord[];
  readonly left: readonly UndoneFileRecord[];
} {
  return {
    changed: files.filter(({ outcome }) => outcome !== 'left' && outcome !== 'unchanged'),
    left: files.filter(({ outcome }) => outcome === 'left'),
  };
}
