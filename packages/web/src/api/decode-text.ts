/** Above this a text is not opened: neither shown as text nor edited. 5 MiB. */
export const textMaxBytes = 5 * 1024 * 1024;

export type DecodedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'not_text' }
  | { readonly kind: 'too_large' };

/**
 * A file's bytes as text, so that encoding it again gives the same bytes: a byte order mark is kept, and what is no
 * UTF-8 or holds NUL is no text.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes.length > textMaxBytes) return { kind: 'too_large' };
  if (bytes.includes(0)) return { kind: 'not_text' };
  try {
    // `ignoreBOM` means: leave it where it is.
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'not_text' };
  }
}
