import type { ObjectLocation } from '../storage/blobs/s3/parse-blob-url.ts';

/** The location of rows: a file of the data directory, or a database that several nodes share. */
export type DatabaseSettings =
  | { readonly kind: 'sqlite' }
  /** `url` may contain a password; `poolSize` is the number of connections of one node. */
  | { readonly kind: 'postgres'; readonly url: string; readonly poolSize: number };

/** The location of large contents: the data directory or an object store. */
export type BlobSettings =
  | { readonly kind: 'disk' }
  | { readonly kind: 's3'; readonly location: ObjectLocation };

/** Whether anything is stored in the data directory. Otherwise a node stores nothing on its machine. */
export function needsDataDir(settings: {
  readonly database: DatabaseSettings;
  readonly blobs: BlobSettings;
}): boolean {
  return settings.database.kind === 'sqlite' || settings.blobs.kind === 'disk';
}

/** The settings of storage locations. */
export const storageVariables: readonly string[] = [
  'STOA_DATA_DIR',
  'STOA_DATABASE_URL',
  'STOA_DATABASE_POOL',
  'STOA_BLOB_URL',
];

/** Returns the environment without the settings of storage locations. */
export function withoutStorage(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !storageVariables.includes(name)));
}
