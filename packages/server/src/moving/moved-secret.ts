import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../backup/manifest.ts';
import type { Config } from '../config/parse-config.ts';
import { syncFolder } from '../storage/blobs/disk/durable-folders.ts';
import type { HeldDatabase } from '../storage/held-database.ts';
import { keepSecret, sharedSecretName } from './held-secrets.ts';
import { RejectedMove } from './rejected-move.ts';

/** The secret that signs sessions, which is copied unless the settings have it on both sides. */
export interface MovedSecret {
  /** The source's current secret; null if it was never started. */
  readonly value: string | null;
  /** Stores it where the target reads it; null if the settings have it. */
  readonly keep: ((secret: string) => Promise<void>) | null;
  /** Whether the nodes of the target compare their secrets. */
  readonly isCompared: boolean;
}

interface SecretEnd {
  readonly config: Pick<Config, 'secret' | 'dataDir' | 'database'>;
  readonly database: HeldDatabase;
}

/** @throws RejectedMove if the target's settings have another secret, because all users would have to sign in again */
export async function movedSecret(source: SecretEnd, target: SecretEnd): Promise<MovedSecret> {
  const value = source.config.secret ?? (await readKept(source));
  const given = target.config.secret;
  if (given !== null && value !== null && given !== value) {
    throw new RejectedMove(
      'STOA_SECRET of the target is not the secret of this installation: all users would be signed out, and share links could not be shown again. Omit it to keep the current secret, or change it after the move (`npm run admin -- secret forget`).',
    );
  }
  return {
    value,
    keep: given === null ? (secret) => keepIn(target, secret) : null,
    isCompared: target.config.database.kind === 'postgres',
  };
}

async function readKept({ config, database }: SecretEnd): Promise<string | null> {
  if (config.database.kind === 'postgres') return await database.reader.secrets.find(sharedSecretName);
  return await readFileOf(config);
}

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'session-secret');

async function readFileOf(config: Pick<Config, 'dataDir'>): Promise<string | null> {
  try {
    return (await readFile(fileOf(config), 'utf8')).trim();
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

async function keepIn({ config, database }: SecretEnd, secret: string): Promise<void> {
  if (config.database.kind === 'postgres') return await keepSecret(database, sharedSecretName, secret);
  const found = await readFileOf(config);
  if (found === secret) return;
  if (found !== null) {
    throw new RejectedMove(
      `${fileOf(config)} is the secret of another installation: remove it and run the command again.`,
    );
  }
  const handle = await open(fileOf(config), 'w', 0o600);
  try {
    await handle.writeFile(`${secret}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(config.dataDir, () => {});
}
