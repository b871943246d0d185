/** Lower-case hex SHA-256 of a file's bytes, as the service names contents. */
export async function contentHashOf(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return hex(await digest(bytes));
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // Over plain http the browser does not hash: then a library does.
  if (globalThis.crypto.subtle !== undefined) {
    return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  }
  const { sha256 } = await import('@noble/hashes/sha2.js');
  return sha256(bytes);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
