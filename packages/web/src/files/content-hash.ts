import { sha256Hex } from '../api/sha256.ts';

/** Lower-case hex SHA-256 of a file's bytes, the server's content hash. */
export async function contentHashOf(file: Blob): Promise<string> {
  return sha256Hex(new Uint8Array(await file.arrayBuffer()));
}
