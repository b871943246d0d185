import type { ChangeRecord } from '@stoa/contract';

/** The credential of a change, and its time. */
export type Author = Pick<ChangeRecord, 'principal' | 'actorId' | 'actorKeyId' | 'actorLabel' | 'createdAt'>;

/** Saves of one credential within this time of the newest one form one entry. */
const foldWindowMs = 10 * 60_000;

/** Whether an earlier save belongs in the entry of a newer one: same session or key, within ten minutes. */
export function foldsInto(newest: Author, earlier: Author): boolean {
  const sameCredential = newest.actorId === earlier.actorId && newest.actorKeyId === earlier.actorKeyId;
  const elapsedMs = Date.parse(newest.createdAt) - Date.parse(earlier.createdAt);
  return sameCredential && elapsedMs <= foldWindowMs;
}
