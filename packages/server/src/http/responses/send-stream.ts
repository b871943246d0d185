import type { ServerResponse } from 'node:http';

/** The client left or stopped reading during its response. This is not a server error, and no response is possible. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** One buffer is filled while the other is sent. This is all the memory of a download, whatever its size. */
const buffersPerDownload = 2;
const bufferBytesMax = 512 * 1024;

/**
 * Writes a byte stream of `sizeBytes` to a response with a written head, at the client's pace, and ends the response.
 * Buffers are reused once the socket is done with them.
 * @throws ClientGone, or the stream's error when it fails, ends early or is too long. The response is not ended then,
 * so the caller must break the connection.
 */
export async function sendStream(
  response: ServerResponse,
  stream: ReadableStream<Uint8Array>,
  sizeBytes: number,
): Promise<void> {
  const reader = stream.getReader({ mode: 'byob' });
  const bufferBytes = Math.min(sizeBytes, bufferBytesMax);
  const writes: Promise<ArrayBuffer>[] = [];
  try {
    let sentBytes = 0;
    while (sentBytes < sizeBytes) {
      const used = writes.length < buffersPerDownload ? undefined : await writes.shift();
      const { value } = await reader.read(new Uint8Array(used ?? new ArrayBuffer(bufferBytes)));
      if (value === undefined || value.byteLength === 0 || sentBytes + value.byteLength > sizeBytes) {
        throw new Error(`a stored object does not have its ${sizeBytes} bytes`);
      }
      sentBytes += value.byteLength;
      const write = written(response, value);
      // A write may fail before it is awaited. `Promise.all` below reports the first failure.
      write.catch(() => {});
      writes.push(write);
    }
    await Promise.all(writes);
    response.end();
  } finally {
    await reader.cancel();
  }
}

/** Resolves with the chunk's buffer when the system has taken its bytes. */
function written(response: ServerResponse, chunk: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(clientGone());
    if (response.destroyed) gone();
    else response.write(chunk, (error) => (error ? gone() : resolve(chunk.buffer)));
  });
}

function clientGone(): ClientGone {
  return new ClientGone('the client went away while its response was sent');
}
