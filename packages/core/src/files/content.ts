import type { Brand } from '../brand.ts';

/** Lower-case hex SHA-256 of a file's bytes. Unlike a version number it is never reused. */
export type ContentHash = Brand<string, 'ContentHash'>;

export function isContentHash(text: string): text is ContentHash {
  return /^[0-9a-f]{64}$/.test(text);
}

/** The version of a file that a caller saw. */
export interface SeenVersion {
  readonly version: number;
  /** What it held, or null to go by the number alone: numbers begin again after a delete or a move, hashes do not. */
  readonly contentHash: ContentHash | null;
}

/** Whether what a caller saw still stands. */
export function isCurrent(
  current: Pick<CurrentFile, 'version' | 'contentHash'>,
  { version, contentHash }: SeenVersion,
): boolean {
  return version === current.version && (contentHash === null || contentHash === current.contentHash);
}

/** What a decision needs to know of a file that exists at a path now. `sizeBytes` in bytes. */
export interface CurrentFile {
  readonly version: number;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly contentType: string;
}
