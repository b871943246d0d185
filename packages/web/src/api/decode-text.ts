import { utf8Text } from '@stoa/core';

/** Larger texts are neither shown nor edited. 5 MiB. */
export const textMaxBytes = 5 * 1024 * 1024;

export type DecodedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'not_text' }
  | { readonly kind: 'too_large' };

/**
 * Decodes a file as text that encodes to the same bytes: a byte order mark is kept. Invalid UTF-8 and NUL are
 * `not_text`.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes.length > textMaxBytes) return { kind: 'too_large' };
  if (bytes.includes(0)) return { kind: 'not_text' };
  const text = utf8Text(bytes);
  return text === null ? { kind: 'not_text' } : { kind: 'text', text };
}
