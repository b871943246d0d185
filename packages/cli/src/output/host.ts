import type { Readable, Writable } from 'node:stream';

/** The environment of a run. Tests pass their own. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder. */
  readonly cwd: string;
  /** The user's home folder. */
  readonly home: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Aborts when the run must end. Nothing new may begin then. */
  readonly signal: AbortSignal;
  /** Shown on the approval page. */
  readonly hostName: string;
  readonly platform: string;
  /** Paths of Node and of this script, for other programs that start it. */
  readonly command: { readonly node: string; readonly script: string };
  readonly send: Send;
  /** For the relay, whose library makes its own requests. */
  readonly fetch: typeof globalThis.fetch;
  /** The clock for all waits. */
  readonly pace: Pace;
}

/** A request function for the client, with local types. Resolves at the beginning of the response. */
export type Send = (
  address: string,
  request: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;
    readonly signal: AbortSignal;
    readonly keepalive: boolean;
    readonly redirect: 'manual';
  },
) => Promise<{
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Pick<Headers, 'get' | 'has'>;
  readonly body: ReadableStream<Uint8Array> | null;
}>;

export interface Pace {
  /** Milliseconds from an arbitrary moment, unaffected by changes of the clock. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
