const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const markDroppingDecoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the text of bytes in UTF-8, with its byte order mark; null for other bytes. */
export function utf8Text(bytes: Uint8Array): string | null {
  return decoded(decoder, bytes);
}

/** The same without a byte order mark at the beginning. */
export function utf8TextWithoutMark(bytes: Uint8Array): string | null {
  return decoded(markDroppingDecoder, bytes);
}

function decoded(by: TextDecoder, bytes: Uint8Array): string | null {
  try {
    return by.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
