import { StoaApiError } from '@stoa/client';
import { client } from '../api/client.ts';
import { decodeText } from '../api/decode-text.ts';
import { nameOf } from '../api/listing-index.ts';
import { sha256Hex } from '../api/sha256.ts';
import { offerToDelete } from '../saving/say.ts';
import { createStore } from '../store/store.ts';
import { conflicts as texts } from '../text/en/conflicts.ts';
import { saving } from '../text/en/saving.ts';
import type { CurrentText, MergeOutcome, TextsToMerge } from '../ui/dialogs.ts';
import { notify } from '../ui/notices.ts';

interface ReadText {
  readonly version: number;
  readonly hash: string;
  readonly contentType: string;
  readonly text: string;
}

/**
 * Compares a copy with its original, using their common base. Without a base the user decides every difference.
 * @throws an error with a message for the user
 */
export async function compareCopy(
  workspaceId: string,
  { original, copy }: { readonly original: string; readonly copy: string },
  whoMade: () => Promise<string>,
): Promise<TextsToMerge> {
  const [theirs, mine, base] = await Promise.all([
    readText(workspaceId, original),
    readText(workspaceId, copy),
    readBase(workspaceId, original, copy),
  ]);
  const shown = async ({ version, hash, text }: ReadText): Promise<CurrentText> => ({
    version,
    hash,
    text,
    who: await whoMade(),
  });
  const current = createStore(await shown(theirs));

  async function save(
    text: string,
    left: { readonly version: number; readonly hash: string },
  ): Promise<MergeOutcome> {
    const on = { kind: 'version', version: left.version, contentHash: left.hash } as const;
    try {
      const { contentType } = theirs;
      // The copy still has the text, so losing a race loses nothing.
      const outcome = await client.writeFile(workspaceId, original, text, on, {
        contentType,
        onConflict: 'refuse',
        allowEmpty: true,
      });
      switch (outcome.kind) {
        case 'created':
        case 'updated':
        case 'unchanged':
          notify({ text: saving.mergedSaved(outcome.version) });
          void offerToDelete(workspaceId, { path: copy, version: mine.version, hash: mine.hash });
          return { kind: 'saved' };
        case 'refused':
        case 'conflict':
        case 'precondition_required':
          current.set(await shown(await readText(workspaceId, original)));
          return { kind: 'moved_on' };
        default:
          return { kind: 'refused', message: saving.full };
      }
    } catch (error) {
      return { kind: 'refused', message: error instanceof Error ? error.message : texts.theConflicts };
    }
  }
  return {
    key: `${workspaceId} ${copy}`,
    workspaceId,
    path: original,
    base,
    mine: mine.text,
    current,
    save,
  };
}

/** The base that the copy's author had read; null if unknown or not kept as text. */
async function readBase(workspaceId: string, original: string, copy: string): Promise<string | null> {
  const { versions } = await client.listVersions(workspaceId, copy);
  const { conflictBase, conflictBaseHash } = versions.find(({ op }) => op === 'conflict') ?? {};
  if (conflictBase == null || conflictBaseHash == null) return null;
  try {
    const file = await client.readVersion(workspaceId, original, conflictBase, {
      contentHash: conflictBaseHash,
    });
    const decoded = decodeText(new Uint8Array(await file.bytes()));
    return decoded.kind === 'text' ? decoded.text : null;
  } catch (error) {
    if (error instanceof StoaApiError && error.status === 404) return null;
    throw error;
  }
}

async function readText(workspaceId: string, path: string): Promise<ReadText> {
  const file = await client.readFile(workspaceId, path);
  if (file.kind !== 'file') throw new Error(saving.notText);
  const { version, contentType } = file;
  const bytes = new Uint8Array(await file.bytes());
  const decoded = decodeText(bytes);
  if (decoded.kind !== 'text') throw new Error(texts.notText(nameOf(path)));
  return { version, contentType, hash: await sha256Hex(bytes), text: decoded.text };
}
