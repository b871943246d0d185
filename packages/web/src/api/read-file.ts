import type { DecodedText } from './decode-text.ts';

/** A file as it was read from the server. */
export interface ReadFile {
  readonly version: number;
  readonly contentType: string;
  readonly contentHash: string | null;
  readonly bytes: Uint8Array;
  readonly decoded: DecodedText;
}
