import type { Brand } from '../brand.ts';

/** Lower-case hex SHA-256 of a file's bytes. Unlike a version number it is never reused. */
export type ContentHash = Brand<string, 'ContentHash'>;

export function isContentHash(text: string): text is ContentHash {
  return /^[0-9a-f]{64}$/.test(text);
}

/** The version of a file that a caller saw. */
export interface SeenVersion {
  readonly version: number;
  /**
   * The hash of the content, or null to compare the number alone: numbers begin again after a delete or a move, hashes
   * do not.
   */
  readonly contentHash: ContentHash | null;
}

/** Whether the version that a caller saw is still current. */
export function isCurrent(
  current: Pick<CurrentFile, 'version' | 'contentHash'>,
  { version, contentHash }: SeenVersion,
): boolean {
  return version === current.version && (contentHash === null || contentHash === current.contentHash);
}

/** The facts about an existing file that decisions need. `sizeBytes` in bytes. */
export interface CurrentFile {
  readonly version: number;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly contentType: string;
}
