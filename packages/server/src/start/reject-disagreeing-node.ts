// docs/decisions/0017-several-nodes.md
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BlobStore } from '../service/ports/blob-store.ts';
import { forgetSecretScript, loadSharedSecret } from '../service/secrets/load-shared-secret.ts';
import type { ServiceDeps } from '../service/service-deps.ts';
import { StartError } from './start-error.ts';

/** Values that all nodes of a database must share, and the names of the database entries for checking them. */
export const commonNames = { secret: 'secret-fingerprint', contents: 'contents-place' } as const;
export type CommonToAllNodes = keyof typeof commonNames;

/**
 * The id that the first nodes agree on before they store it in the blob store. A node that is killed before that leaves
 * a database that names no blob store yet.
 */
export const begunLocationName = 'contents-place-begun';

type Deps = Pick<ServiceDeps, 'store' | 'clock'>;

/**
 * A node that starts at the same moment may be about to store the id: wait five seconds, for a busy machine or a slow
 * disk.
 */
const readAgainMs = 100;
const readsMax = 50;

/**
 * Rejects a different secret: behind a load balancer, half of all sessions would be rejected, and links made on one
 * node could not be shown by another.
 * @throws StartError when the other nodes of this database have another secret.
 */
export async function rejectOtherSecret(
  deps: Deps,
  secret: string,
  from: 'setting' | 'database',
): Promise<void> {
  const fingerprint = fingerprintOf(secret);
  if ((await loadSharedSecret(deps, commonNames.secret, () => fingerprint)) === fingerprint) return;
  const what =
    from === 'setting'
      ? "STOA_SECRET is not the secret of this database's other nodes: set theirs."
      : "STOA_SECRET is not set, and this database's other nodes have one: set theirs.";
  throw new StartError(
    `${what} To change it on all of them, stop them, run \`npm run admin -- secret forget\`, and start them with the new one: all users have to sign in again, and share links still open but cannot be shown again.`,
  );
}

export function fingerprintOf(secret: string): string {
  return createHmac('sha256', secret).update('the secret of all nodes').digest('base64url');
}

/** Returns a new id for a blob store. */
export const makeLocationId = () => `place_${randomBytes(20).toString('base64url')}`;

/**
 * Rejects a different blob store: this node would respond 502 for the large files of the others, and its own uploads
 * would be missing on them.
 * @param where location of this node's store, as an operator knows it
 * @throws StartError when the large contents of this database are in another store.
 */
export async function rejectOtherLocation(
  deps: Deps,
  blobs: Pick<BlobStore, 'readPlaceId' | 'keepPlaceId'>,
  where: string,
): Promise<void> {
  const found = await blobs.readPlaceId();
  const known =
    (await deps.store.reader.secrets.find(commonNames.contents)) ?? (await keepLocation(deps, blobs, found));
  if (known === found) return;
  for (let reads = 1; found === null && reads <= readsMax; reads += 1) {
    if ((await blobs.readPlaceId()) === known) return;
    await pause(readAgainMs);
  }
  throw new StartError(
    `The large contents of this database are not in ${where}: give this node the STOA_BLOB_URL of the others or, where that is not set, a STOA_DATA_DIR on the storage that they share. If all of them were moved here, run \`npm run admin -- contents forget\` and start again.`,
  );
}

/** Stores the id in the blob store before the database names it. @returns the id that the nodes agree on. */
async function keepLocation(
  deps: Deps,
  blobs: Pick<BlobStore, 'keepPlaceId'>,
  found: string | null,
): Promise<string> {
  const id = found ?? (await loadSharedSecret(deps, begunLocationName, makeLocationId));
  if (found === null) await blobs.keepPlaceId(id);
  return await loadSharedSecret(deps, commonNames.contents, () => id);
}

/** Whether the blob store is the one that the nodes agreed on: an unmounted disk is not. */
export async function isLocationThere({
  store,
  blobs,
}: Pick<ServiceDeps, 'store' | 'blobs'>): Promise<boolean> {
  return (await blobs.readPlaceId()) === (await store.reader.secrets.find(commonNames.contents));
}

/** The next node that starts decides. */
export async function forgetCommon(
  { store }: Pick<ServiceDeps, 'store'>,
  what: CommonToAllNodes,
): Promise<void> {
  if (what === 'contents') await store.transact(forgetSecretScript, { name: begunLocationName });
  await store.transact(forgetSecretScript, { name: commonNames[what] });
}
