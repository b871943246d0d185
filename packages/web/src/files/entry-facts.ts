import { type Entry, type Listing, nameOf, originalOf } from '../api/listing-index.ts';
import type { ActorRecord } from '../api/people.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { totalsOf } from './folder-contents.ts';

/** States of an item in words: the description of its row. */
export function statesOf(listing: Listing, entry: Entry): readonly string[] {
  const privateAt = listing.privateAt(entry.path);
  return [
    ...(privateAt === null
      ? []
      : [privateAt === entry.path ? texts.private : texts.privateWith(visibleName(nameOf(privateAt)))]),
    ...(originalOf(entry) === null ? [] : [texts.conflictedCopy]),
    ...(isForAgents(entry) ? [texts.forAgents] : []),
  ];
}

export function isForAgents(entry: Entry): boolean {
  return entry.kind === 'file' && entry.name === 'AGENTS.md';
}

/** The author and time of the last change; for a folder, of its newest file. Null if the list does not say. */
export function lastChangeOf(
  listing: Listing,
  entry: Entry,
): { readonly who: ActorRecord; readonly at: string } | null {
  const file = entry.kind === 'file' ? entry : totalsOf(listing, entry.path).newest;
  if (file === null) return null;
  const { principal, actorId, actorKeyId, actorLabel, changedAt } = file;
  if (principal === undefined || actorId === undefined || changedAt === undefined) return null;
  return {
    who: { principal, actorId, actorKeyId: actorKeyId ?? null, actorLabel: actorLabel ?? null },
    at: changedAt,
  };
}
