import { StoaApiError } from './stoa-api-error.ts';
import { StoaConnectionError } from './stoa-connection-error.ts';

/** A file's bytes as they arrive, and what is known of it. The body is read once: by the stream or by `bytes`. */
export interface FileBytes {
  readonly version: number;
  readonly contentType: string;
  /** Lower-case hex SHA-256 of the whole file, or null from a service that does not send it here. */
  readonly contentHash: string | null;
  readonly body: ReadableStream<Uint8Array>;
  /** All of the body, in memory. Throws `StoaConnectionError` when the transfer breaks off. */
  bytes(): Promise<Uint8Array>;
}

/** @throws StoaApiError when the answer does not say which version it is. */
export function fileBytesOf(response: Response): FileBytes {
  const { headers } = response;
  // A proxy may weaken or remove the ETag; not every answer has the other header.
  const text =
    headers.get('X-Service-Version') ?? /^(?:W\/)?"(\d+)"$/.exec(headers.get('ETag') ?? '')?.[1] ?? '';
  if (!/^[1-9]\d*$/.test(text)) {
    throw new StoaApiError("The answer does not name the file's version", { status: response.status });
  }
  return {
    version: Number(text),
    contentType: headers.get('Content-Type') ?? 'application/octet-stream',
    contentHash: headers.get('X-Service-Content-Hash'),
    body: response.body ?? new ReadableStream({ start: (controller) => controller.close() }),
    bytes: () => allBytesOf(response),
  };
}

async function allBytesOf(response: Response): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new StoaConnectionError('The transfer broke off', { cause: error });
  }
}
