import type { ChangeRecord } from '@stoa/contract';

/** Under what a change was made, and when. */
export type Author = Pick<ChangeRecord, 'principal' | 'actorId' | 'actorKeyId' | 'actorLabel' | 'createdAt'>;

/** Saves of one credential within this time of the newest of them are told as one. */
const foldWindowMs = 10 * 60_000;

/** Whether an earlier save is told together with a newer one: the same session or key made both, within ten minutes. */
export function foldsInto(newest: Author, earlier: Author): boolean {
  const sameCredential = newest.actorId === earlier.actorId && newest.actorKeyId === earlier.actorKeyId;
  const elapsedMs = Date.parse(newest.createdAt) - Date.parse(earlier.createdAt);
  return sameCredential && elapsedMs <= foldWindowMs;
}
