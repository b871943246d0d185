const chunkBytes = 64 * 1024;

/**
 * Bytes as a stream whose reader may bring its own buffers. Asks for a piece only when the reader wants one, and ends
 * with the last of `sizeBytes` bytes.
 * @param giveUp called when the reader wants no more
 */
export function byteStream(
  bytes: AsyncIterator<Uint8Array>,
  sizeBytes: number,
  giveUp: () => void,
): ReadableStream<Uint8Array> {
  let piece: Uint8Array = new Uint8Array();
  let leftBytes = sizeBytes;
  const endWhenRead = (controller: ReadableByteStreamController) => {
    if (leftBytes > 0) return;
    controller.close();
    // A read that was asked for meanwhile ends only when its buffer is given back.
    controller.byobRequest?.respond(0);
  };
  return new ReadableStream({
    type: 'bytes',
    // Makes every read one into a given buffer, whoever gives it.
    autoAllocateChunkSize: chunkBytes,
    start: endWhenRead,
    async pull(controller) {
      while (piece.byteLength === 0) {
        const next = await bytes.next();
        if (next.done) throw new Error(`a stream of ${sizeBytes} bytes ended ${leftBytes} early`);
        piece = next.value;
      }
      const request = controller.byobRequest;
      const view = request?.view;
      if (!request || !(view instanceof Uint8Array)) throw new Error('a read without a buffer of bytes');
      const part = piece.subarray(0, Math.min(view.byteLength, leftBytes));
      view.set(part);
      piece = piece.subarray(part.byteLength);
      leftBytes -= part.byteLength;
      request.respond(part.byteLength);
      endWhenRead(controller);
      if (leftBytes === 0) await bytes.return?.();
    },
    async cancel() {
      giveUp();
      await bytes.return?.();
    },
  });
}
