import type { Readable, Writable } from 'node:stream';

/** What a run is given from outside, so that a test can give something else. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the person is. */
  readonly cwd: string;
  /** The person's own folder. */
  readonly home: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Aborts when the run shall end: nothing new begins then. */
  readonly signal: AbortSignal;
  /** As the approving page shows them. */
  readonly hostName: string;
  readonly platform: string;
  /** This program, for what another program shall start: the Node, and the script. */
  readonly command: { readonly node: string; readonly script: string };
  /** How requests are sent. */
  readonly send: Send;
  /** For the relay, whose library brings its own requests. */
  readonly fetch: typeof globalThis.fetch;
  /** The passing of time, for what waits. */
  readonly pace: Pace;
}

/** As the client wants it, in words of this room: one request, and the beginning of its answer. */
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
  arrayBuffer(): Promise<ArrayBuffer>;
}>;

export interface Pace {
  /** Milliseconds from any fixed moment, whatever the clock is set to. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
