import type { ObjectPlace } from '../storage/blobs/s3/parse-blob-url.ts';

/** Where rows are: in a file of the data directory, or in a database that several nodes share. */
export type DatabaseSettings =
  | { readonly kind: 'sqlite' }
  /** `url` may hold a password; `poolSize` is in connections of one node. */
  | { readonly kind: 'postgres'; readonly url: string; readonly poolSize: number };

/** Where large contents are: below the data directory, or in an object store. */
export type BlobSettings = { readonly kind: 'disk' } | { readonly kind: 's3'; readonly place: ObjectPlace };

/** Whether anything is kept in the data directory. Without it a node keeps nothing on its machine. */
export function needsDataDir(settings: {
  readonly database: DatabaseSettings;
  readonly blobs: BlobSettings;
}): boolean {
  return settings.database.kind === 'sqlite' || settings.blobs.kind === 'disk';
}

/** The settings that say where everything is kept. */
export const storageVariables: readonly string[] = [
  'STOA_DATA_DIR',
  'STOA_DATABASE_URL',
  'STOA_DATABASE_POOL',
  'STOA_BLOB_URL',
];

/** The environment as it is anywhere else. */
export function withoutStorage(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !storageVariables.includes(name)));
}
