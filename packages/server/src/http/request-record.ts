import type { IncomingMessage } from 'node:http';
import type { Actor } from '@stoa/core';

/** What became known of a request while it was served. */
export interface RequestRecord {
  readonly actor: Actor | null;
  readonly failure: unknown;
}

interface OpenRecord {
  actor: Actor | null;
  failure: unknown;
  /** Its handler is done; its connection is done with it. A request is over when both are, in whichever order. */
  handled: boolean;
  closed: boolean;
  whenOver: ((record: RequestRecord) => void) | null;
}

const records = new WeakMap<IncomingMessage, OpenRecord>();

/** Keeps a record of the request, and gives it to `whenOver` once. */
export function openRecord(request: IncomingMessage, whenOver: (record: RequestRecord) => void): void {
  recordOf(request).whenOver = whenOver;
}

export function noteActor(request: IncomingMessage, actor: Actor): void {
  recordOf(request).actor = actor;
}

export function noteFailure(request: IncomingMessage, failure: unknown): void {
  recordOf(request).failure = failure;
}

export function noteHandled(request: IncomingMessage): void {
  const record = recordOf(request);
  record.handled = true;
  settle(record);
}

export function noteClosed(request: IncomingMessage): void {
  const record = recordOf(request);
  record.closed = true;
  settle(record);
}

function settle(record: OpenRecord): void {
  if (!record.handled || !record.closed) return;
  record.whenOver?.(record);
  record.whenOver = null;
}

function recordOf(request: IncomingMessage): OpenRecord {
  const found = records.get(request);
  if (found !== undefined) return found;
  const record: OpenRecord = { actor: null, failure: null, handled: false, closed: false, whenOver: null };
  records.set(request, record);
  return record;
}
