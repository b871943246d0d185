import type { Brand } from '../brand.ts';

/** Lower-case hex SHA-256 of a file's bytes. Unlike a version number it is never reused. */
export type ContentHash = Brand<string, 'ContentHash'>;

export function isContentHash(text: string): text is ContentHash {
  return /^[0-9a-f]{64}$/.test(text);
}

/** What a decision needs to know of a file that exists at a path now. `sizeBytes` in bytes. */
export interface CurrentFile {
  readonly version: number;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly contentType: string;
}
