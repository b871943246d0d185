import { StoaApiError, type StoaClient, type WriteOutcome } from '@stoa/client';
import { parseWorkspacePath, type RemotePresumed, uploadResponseMsMax, type WorkspacePath } from '@stoa/core';
import { ContentChangedError, type OutgoingContent } from '../engine/ports/content.ts';
import type { PutOutcome, PutRequest } from '../engine/ports/remote-workspace.ts';
import { limitIdle } from './idle-limit.ts';

interface Target {
  readonly client: StoaClient;
  readonly workspaceId: string;
  readonly onBytes: (path: WorkspacePath, bytes: number) => void;
}

/** See the port. @throws StoaApiError, StoaConnectionError */
export async function upload(
  { client, workspaceId, onBytes }: Target,
  request: PutRequest,
  outer: AbortSignal | undefined,
): Promise<PutOutcome> {
  const { path, content, presumed, contentType } = request;
  const limit = limitIdle(outer, content.kind === 'bytes' ? uploadResponseMsMax : undefined);
  let sentBytes = 0;
  const sent = (bytes: number) => {
    sentBytes += bytes;
    onBytes(path, bytes);
  };
  const watched = watchContent(content, (bytes, isLast) => {
    limit.moved(isLast ? uploadResponseMsMax : undefined);
    sent(bytes);
  });
  try {
    const outcome = await client.writeFile(workspaceId, path, watched.body, preconditionOf(presumed), {
      signal: limit.signal,
      allowEmpty: content.sizeBytes === 0,
      ...(contentType === null ? {} : { contentType }),
      ...(content.kind === 'bytes' ? {} : { sizeBytes: content.sizeBytes }),
    });
    sent(content.sizeBytes - sentBytes);
    return putOutcome(outcome);
  } catch (error) {
    sent(-sentBytes);
    // This side ended the stream. The server got no full body and stores nothing.
    if (watched.hasChanged()) return { kind: 'changed' };
    return rejectedPut(error);
  } finally {
    limit.end();
  }
}

export function preconditionOf(presumed: RemotePresumed) {
  return presumed.kind === 'absent'
    ? ({ kind: 'absent' } as const)
    : ({ kind: 'version', version: presumed.version, contentHash: presumed.hash } as const);
}

function watchContent(content: OutgoingContent, moved: (bytes: number, isLast: boolean) => void) {
  let hasChanged = false;
  if (content.kind === 'bytes') return { body: content.bytes, hasChanged: () => hasChanged };
  const reader = content.stream.getReader();
  let sentBytes = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          sentBytes += value.length;
          moved(value.length, sentBytes === content.sizeBytes);
          controller.enqueue(value);
        } catch (error) {
          hasChanged = error instanceof ContentChangedError;
          controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { body, hasChanged: () => hasChanged };
}

function putOutcome(outcome: WriteOutcome): PutOutcome {
  switch (outcome.kind) {
    case 'created':
    case 'updated':
      return { kind: 'stored', version: outcome.version, isUnchanged: false };
    case 'unchanged':
      return { kind: 'stored', version: outcome.version, isUnchanged: true };
    case 'conflict':
      return { kind: 'conflict', copyPath: parseWorkspacePath(outcome.conflictCopyPath) };
    case 'quota_exceeded':
      return { kind: 'quota', detail: `${outcome.usedBytes} of ${outcome.limitBytes} bytes are used` };
    case 'history_exceeded':
      return {
        kind: 'quota',
        detail: `earlier versions use ${outcome.usedBytes} of ${outcome.limitBytes} bytes`,
      };
    case 'file_count_exceeded':
      return { kind: 'file_count', detail: `${outcome.usedFiles} of ${outcome.limitFiles} files are there` };
    case 'refused':
    case 'precondition_required':
      throw new Error(`a write with a precondition got the result ${outcome.kind}`);
  }
}

function rejectedPut(error: unknown): PutOutcome {
  if (!(error instanceof StoaApiError)) throw error;
  const { status, message, code } = error;
  switch (status) {
    case 400:
      if (/precondition/i.test(message)) throw error;
      return { kind: 'name_refused', detail: message };
    case 402:
      return { kind: 'read_only' };
    case 404:
      return { kind: 'hidden_by_private' };
    case 409:
      return { kind: 'path_taken' };
    case 413:
      return { kind: 'too_large', detail: code === null ? message : limitIn(error) };
    default:
      throw error;
  }
}

function limitIn({ data, message }: StoaApiError): string {
  return typeof data.limit_bytes === 'number' ? `the limit is ${data.limit_bytes} bytes` : message;
}
