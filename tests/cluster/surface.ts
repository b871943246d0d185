import type { HttpResponse } from '../support/response.ts';

/** The result of a requested change. */
export type Reported =
  /** Written, as this version. */
  | { readonly kind: 'version'; readonly version: number }
  /** Deleted or moved. */
  | { readonly kind: 'done' }
  /** The write lost a race: its bytes are in a conflicted copy. */
  | { readonly kind: 'copy'; readonly path: string }
  | { readonly kind: 'absent' }
  /** The service could not do it, and says that nothing was changed. */
  | { readonly kind: 'nothing changed'; readonly says: string }
  /** The change may have been made or not: there was no response, or one that says so. */
  | { readonly kind: 'not known'; readonly says: string }
  /** A response that no client should ever get. */
  | { readonly kind: 'wrong'; readonly says: string };

/** One caller in one workspace at one node, by REST or by MCP. A broken connection is a result and does not throw. */
export interface Surface {
  /** @param base the version that the bytes are based on, null for a new file. */
  write(path: string, body: Buffer, base: number | null): Promise<Reported>;
  remove(path: string, version: number): Promise<Reported>;
  move(from: string, to: string): Promise<Reported>;
}

/** Reads the error of an unreachable database or object store by its text. */
export function unavailable(says: string): Reported {
  return { kind: says.includes('Nothing was changed') ? 'nothing changed' : 'not known', says };
}

/** Returns the result of a request. A missing response is a result. */
export async function reportedBy(
  asked: Promise<HttpResponse>,
  read: (response: HttpResponse, says: string) => Reported,
): Promise<Reported> {
  let response: HttpResponse;
  try {
    response = await asked;
  } catch (error) {
    return { kind: 'not known', says: String(error) };
  }
  return read(response, `${response.status} ${response.bytes.toString()}`);
}
