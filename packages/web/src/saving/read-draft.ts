import { StoaApiError } from '@stoa/client';
import type { VersionRecord } from '@stoa/contract';
import { client } from '../api/client.ts';
import { decodeText } from '../api/decode-text.ts';
import { sha256Hex } from '../api/sha256.ts';
import type { PlacedDraft } from './drafts.ts';
import type { FoundDraft } from './open.ts';
import { savedSince } from './reading-theirs.ts';
import type { EditorDocuments, EngineDependencies } from './run-engine.ts';
import type { FileText, Known } from './state.ts';

/** Adds to the draft what the engine needs: its hash and the text of its base. */
export async function readDraft<Doc>(
  { location, draft }: PlacedDraft,
  file: FileText<Doc>,
  documents: EditorDocuments<Doc>,
  nameOf: EngineDependencies<Doc>['nameOf'],
): Promise<FoundDraft<Doc>> {
  const { text, savedAt: _, ...facts } = draft;
  const hash = await sha256Hex(new TextEncoder().encode(text));
  const doc = documents.fromText(text);
  const isCurrent = draft.baseHash === file.hash || draft.sentHash === file.hash || hash === file.hash;
  if (isCurrent) return { ...facts, doc, hash, baseDoc: file.doc, fileBy: null };
  const versions = await readVersions(location);
  const known = versions.map(({ version, contentHash }) => ({ version, hash: contentHash }));
  const began = { version: draft.baseVersion, hash: draft.baseHash };
  // A save may have landed without its response; later changes by others are based on it.
  const base = savedSince(known, began, [hash, draft.sentHash]) ?? began;
  const baseText = await readText(location, base);
  const by = versions.find(
    ({ version, contentHash }) => version === file.version && contentHash === file.hash,
  );
  return {
    ...facts,
    baseVersion: base.version,
    baseHash: base.hash,
    doc,
    hash,
    baseDoc: baseText === null ? null : documents.fromText(baseText),
    fileBy: by === undefined ? null : nameOf(by),
  };
}

/** Newest first; empty if the file no longer exists. */
async function readVersions({
  workspaceId,
  path,
}: PlacedDraft['location']): Promise<readonly VersionRecord[]> {
  try {
    return (await client.listVersions(workspaceId, path)).versions;
  } catch (error) {
    if (error instanceof StoaApiError && error.status === 404) return [];
    throw error;
  }
}

/** Null if the version is no longer kept, or is not text. */
async function readText(
  { workspaceId, path }: PlacedDraft['location'],
  { version, hash }: Known,
): Promise<string | null> {
  try {
    // Also by hash: version numbers restart after a move or a deletion, so the number could mean another version.
    const read = await client.readVersion(workspaceId, path, version, { contentHash: hash });
    const decoded = decodeText(await read.bytes());
    return decoded.kind === 'text' ? decoded.text : null;
  } catch (error) {
    if (error instanceof StoaApiError && (error.status === 404 || error.status === 410)) return null;
    throw error;
  }
}
