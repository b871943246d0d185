import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Precondition, WriteOutcome } from '@stoa/client';
import { uploadResponseMsMax, type WorkspacePath } from '@stoa/core';
import { codeOf } from '../config/folder-config.ts';
import { Failure } from '../output/failure.ts';
import { limitSilence } from './limit-silence.ts';
import { findFile } from './read-file.ts';
import type { Workspace } from './workspace.ts';

/** The content that a write may replace. */
export type Over =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'base';
      readonly version: number;
      /** Given if known, because another file may have the same version number. */
      readonly contentHash?: string;
    }
  | { readonly kind: 'whatever-is-there' };

/** Sends bytes as the new content of a file, without holding all of them in memory. */
export async function writeFile(
  workspace: Workspace,
  path: WorkspacePath,
  source: Readable,
  {
    over,
    contentType,
    onBytes,
  }: {
    readonly over: Over;
    readonly contentType: string | undefined;
    /** Called for each chunk when it is passed on. */
    readonly onBytes: (bytes: number) => void;
  },
): Promise<WriteOutcome> {
  const { client, workspaceId } = workspace;
  const precondition = await preconditionOf(workspace, path, over);
  const limit = limitSilence(workspace);
  const bytes = watched(source, {
    // The source itself may be slow.
    asked: limit.end,
    read(bytes) {
      limit.begin();
      onBytes(bytes);
    },
    ended: () => limit.begin(uploadResponseMsMax),
  });
  try {
    return await client.writeFile(workspaceId, path, bytes, precondition, {
      signal: limit.signal,
      allowEmpty: true,
      ...(contentType === undefined ? {} : { contentType }),
    });
  } finally {
    limit.end();
  }
}

/** Opens a local file to send. @throws Failure `no_local_file` */
export async function openLocalFile(
  file: string,
): Promise<{ readonly stream: Readable; readonly sizeBytes: number }> {
  const facts = await stat(file).catch((error: unknown) => {
    throw new Failure({
      code: 'no_local_file',
      message:
        codeOf(error) === 'ENOENT'
          ? `There is no file ${file} on this machine.`
          : `${file} cannot be read (${codeOf(error)}).`,
      next: 'Name the file to send, or - for standard input: stoa put <path> <file>',
      cause: error,
    });
  });
  if (facts.isDirectory()) {
    throw new Failure({
      code: 'no_local_file',
      message: `${file} is a folder.`,
      next: 'Put its files one by one, or link it.',
    });
  }
  return { stream: createReadStream(file, { highWaterMark: 256 * 1024 }), sizeBytes: facts.size };
}

async function preconditionOf(workspace: Workspace, path: WorkspacePath, over: Over): Promise<Precondition> {
  switch (over.kind) {
    case 'nothing':
      return { kind: 'none' };
    case 'base':
      return { ...over, kind: 'version' };
    case 'whatever-is-there': {
      const file = await findFile(workspace, path);
      return file === null ? { kind: 'absent' } : { kind: 'version', ...file };
    }
  }
}

/** Reads the source on demand, and reports each chunk. */
function watched(
  source: Readable,
  reported: {
    readonly asked: () => void;
    readonly read: (bytes: number) => void;
    readonly ended: () => void;
  },
): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      reported.asked();
      const { done, value } = await chunks.next();
      if (done === true) {
        reported.ended();
        return controller.close();
      }
      reported.read(value.length);
      controller.enqueue(Buffer.from(value));
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
