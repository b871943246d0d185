/** What one turn of load sends: requests over keep-alive connections, each sending the next when its answer is complete. */
export interface LoadJob {
  /** Several share the connections evenly. */
  readonly port: number | readonly number[];
  readonly connections: number;
  readonly requests: RequestSource;
  /** Statuses that count as success. Any other ends the turn as failed: a fast refusal is no measurement. */
  readonly expect: readonly number[];
  /** The turn ends when either is reached. */
  readonly secondsMax: number;
  readonly requestsMax: number;
  /** Pause before a connection's next request, in milliseconds; 0 for a steady stream. */
  readonly pauseMs: number;
}

/** A header block's lines, without the request line, host and content length. */
export type HeaderLines = readonly string[];

/** As long as the number that takes its place. */
export const numberMark = '#########';

export type RequestSource =
  /** The same requests, over and over, by turns. `targets` are sent exactly as given. */
  | { readonly kind: 'get'; readonly targets: readonly string[]; readonly headers: HeaderLines }
  /** New files: every body and every path is another one, in a folder per connection (`c00` … `c63`). */
  | {
      readonly kind: 'put-new';
      readonly root: string;
      readonly headers: HeaderLines;
      readonly bodyBytes: number;
      /** The number of the first file: no two turns of one side may overlap. */
      readonly first: number;
    }
  /** New files, one after the other in each of the roots: every body and every path is another one. */
  | {
      readonly kind: 'put-spread';
      readonly roots: readonly string[];
      readonly headers: HeaderLines;
      readonly bodyBytes: number;
      /** The number of the first file: see `put-new`. */
      readonly first: number;
    }
  /** New files spread over a tree of folders as people make them: file `first`, `first + 1`, … of the seeded tree. */
  | {
      readonly kind: 'put-tree';
      readonly root: string;
      readonly headers: HeaderLines;
      readonly bodyBytes: number;
      readonly first: number;
    }
  /** One request with a body, over and over; `numberMark` in target and body stands for the number of the request. */
  | {
      readonly kind: 'numbered';
      readonly method: 'POST' | 'PUT';
      readonly target: string;
      readonly headers: HeaderLines;
      readonly body: string;
      /** The number of the first request: see `put-new`. */
      readonly first: number;
    }
  /** One large new file per request, streamed. */
  | {
      readonly kind: 'put-large';
      readonly target: string;
      readonly headers: HeaderLines;
      readonly bodyBytes: number;
    };

/** What a turn measured. Times in milliseconds. */
export interface LoadResult {
  /** Answers that were complete before the turn's end. */
  readonly requests: number;
  /** Requests sent in all: the next turn's `first` is this much further. */
  readonly sent: number;
  readonly elapsedMs: number;
  readonly requestsPerSecond: number;
  readonly answerBytes: number;
  readonly latencyMs: {
    readonly p50: number;
    readonly p95: number;
    readonly p99: number;
    readonly max: number;
  };
  /** Until the first bytes of an answer, the median. */
  readonly firstByteMs: number;
}

export type GeneratorMessage =
  | { readonly kind: 'done'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly reason: string };
