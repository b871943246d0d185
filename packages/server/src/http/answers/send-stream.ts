import type { ServerResponse } from 'node:http';

/** The client left, or stopped reading, while its answer was sent. Nobody's fault: there is no one left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** One is filled from the disk while the other is on its way out: all that a download holds, whatever its size. */
const buffersPerDownload = 2;
const bufferBytesMax = 512 * 1024;

/**
 * Writes a byte stream of `sizeBytes` to a response whose head is written, at the client's pace, and ends the response.
 * Buffers are used again and again: one is read into only after the socket has said that it is done with it.
 * @throws ClientGone, or what is wrong with the stream when it fails, ends early or goes on too long. The response is not
 * ended then, and its connection has to be broken.
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
      // It may fail while the next bytes are read, before anybody waits for it: the first that failed is told below.
      write.catch(() => {});
      writes.push(write);
    }
    await Promise.all(writes);
    response.end();
  } finally {
    await reader.cancel();
  }
}

/** Resolves with the chunk's buffer once the system has taken its bytes over. */
function written(response: ServerResponse, chunk: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new ClientGone('the client went away while its answer was sent'));
    if (response.destroyed) gone();
    else response.write(chunk, (error) => (error ? gone() : resolve(chunk.buffer)));
  });
}
