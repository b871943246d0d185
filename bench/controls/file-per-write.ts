import { type FileHandle, open, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';

/**
 * A control: a PUT writes a temporary file, fsyncs it, renames it and fsyncs its directory. This is the usual way to
 * make a write durable, without versions, credentials or a feed.
 */
const [port = '', root = ''] = process.argv.slice(2);
let count = 0;
const server = createServer((request, response) => {
  write(request, join(root, request.url ?? '')).then(
    () => response.writeHead(201, { 'content-length': 0 }).end(),
    (error: unknown) => {
      const text = String(error);
      response.writeHead(500, { 'content-length': Buffer.byteLength(text) }).end(text);
    },
  );
});
server.keepAliveTimeout = 60_000;
server.listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => {});

async function write(request: IncomingMessage, path: string): Promise<void> {
  count += 1;
  const temporary = `${path}.${count}.tmp`;
  await using file = await open(temporary, 'wx');
  for await (const chunk of request) await writeAll(file, chunk);
  await file.sync();
  await rename(temporary, path);
  await using directory = await open(dirname(path), 'r');
  await directory.sync();
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written);
    written += bytesWritten;
  }
}
