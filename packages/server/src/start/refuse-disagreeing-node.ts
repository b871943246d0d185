// docs/decisions/0029-several-nodes.md
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BlobStore } from '../service/ports/blob-store.ts';
import { forgetSecretScript, loadSharedSecret } from '../service/secrets/load-shared-secret.ts';
import type { ServiceDeps } from '../service/service-deps.ts';
import { StartError } from './start-error.ts';

/** What all nodes of one database must have in common, and under which name the database keeps by what to tell. */
export const commonNames = { secret: 'secret-fingerprint', contents: 'contents-place' } as const;
export type CommonToAllNodes = keyof typeof commonNames;

/**
 * The id that a place without one is to get. It comes first, for all nodes that start together: one that is killed before the
 * place has it leaves a database that names no place yet.
 */
export const begunPlaceName = 'contents-place-begun';

type Deps = Pick<ServiceDeps, 'store' | 'clock'>;

/** A node that starts at the same moment may be about to keep the place's id: five seconds, for a busy machine or a slow disk. */
const readAgainMs = 100;
const readsMax = 50;

/**
 * With another secret half of all sessions would be refused behind a load balancer, and links made on one node could not
 * be shown by another.
 * @throws StartError when the nodes of this database have another secret than this one.
 */
export async function refuseOtherSecret(
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
    `${what} To change it on all of them, stop them, run \`npm run admin -- secret forget\`, and start them with the new one: everybody signs in anew, and share links still open but cannot be shown again.`,
  );
}

export function fingerprintOf(secret: string): string {
  return createHmac('sha256', secret).update('the secret of all nodes').digest('base64url');
}

/** Names a place of large contents. */
export const makePlaceId = () => `place_${randomBytes(20).toString('base64url')}`;

/**
 * A node with another place would answer 502 for the large files of the others, and lose sight of those that it was sent.
 * @param where the place of this node, as an operator knows it
 * @throws StartError when the large contents of this database are kept in another place.
 */
export async function refuseOtherPlace(
  deps: Deps,
  blobs: Pick<BlobStore, 'readPlaceId' | 'keepPlaceId'>,
  where: string,
): Promise<void> {
  const found = await blobs.readPlaceId();
  const known =
    (await deps.store.reader.secrets.find(commonNames.contents)) ?? (await keepPlace(deps, blobs, found));
  if (known === found) return;
  for (let reads = 1; found === null && reads <= readsMax; reads += 1) {
    if ((await blobs.readPlaceId()) === known) return;
    await pause(readAgainMs);
  }
  throw new StartError(
    `The large contents of this database are not in ${where}: give this node the STOA_BLOB_URL of the others or, where that is not set, a STOA_DATA_DIR on the storage that they share. If all of them were moved here, run \`npm run admin -- contents forget\` and start again.`,
  );
}

/** The place has its id before the database names it. @returns the id of the place that the nodes agree on. */
async function keepPlace(
  deps: Deps,
  blobs: Pick<BlobStore, 'keepPlaceId'>,
  found: string | null,
): Promise<string> {
  const id = found ?? (await loadSharedSecret(deps, begunPlaceName, makePlaceId));
  if (found === null) await blobs.keepPlaceId(id);
  return await loadSharedSecret(deps, commonNames.contents, () => id);
}

/** Whether the place of the large contents is the one that the nodes agreed on: a disk that is not mounted is not. */
export async function isPlaceThere({ store, blobs }: Pick<ServiceDeps, 'store' | 'blobs'>): Promise<boolean> {
  return (await blobs.readPlaceId()) === (await store.reader.secrets.find(commonNames.contents));
}

/** The next node that starts decides. */
export async function forgetCommon(
  { store }: Pick<ServiceDeps, 'store'>,
  what: CommonToAllNodes,
): Promise<void> {
  if (what === 'contents') await store.transact(forgetSecretScript, { name: begunPlaceName });
  await store.transact(forgetSecretScript, { name: commonNames[what] });
}
