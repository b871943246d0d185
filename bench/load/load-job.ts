/** One run of load: requests over keep-alive connections, each of which sends the next after a complete response. */
export interface LoadJob {
  /** Several share the connections evenly. */
  readonly port: number | readonly number[];
  readonly connections: number;
  readonly requests: RequestSource;
  /** Statuses that count as success. Any other status fails the run: a fast error must not count as a measurement. */
  readonly expect: readonly number[];
  /** The run ends when either is reached. */
  readonly secondsMax: number;
  readonly requestsMax: number;
  /** Pause before a connection's next request, in milliseconds; 0 for a steady stream. */
  readonly pauseMs: number;
}

/** A header block's lines, without the request line, host and content length. */
export type HeaderLines = readonly string[];

/** A placeholder with the length of the number that replaces it. */
export const numberMark = '#########';

export type RequestSource =
  /** The same requests in rotation. `targets` are sent exactly as given. */
  | { readonly kind: 'get'; readonly targets: readonly string[]; readonly headers: HeaderLines }
  /** New files with different bodies and paths, in a folder per connection (`c00` … `c63`). */
  | {
      readonly kind: 'put-new';
      readonly root: string;
      readonly headers: HeaderLines;
      readonly bodyBytes: number;
      /** The number of the first file: two runs on one server may not overlap. */
      readonly first: number;
    }
  /** New files with different bodies and paths, in each of the roots in rotation. */
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
  /** One request with a body, repeated; `numberMark` in target and body stands for the number of the request. */
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

/** The measurements of a run. Times in milliseconds. */
export interface LoadResult {
  /** Responses that were complete before the end of the run. */
  readonly requests: number;
  /** All sent requests: the next run's `first` is this much higher. */
  readonly sent: number;
  readonly elapsedMs: number;
  readonly requestsPerSecond: number;
  readonly responseBytes: number;
  readonly latencyMs: {
    readonly p50: number;
    readonly p95: number;
    readonly p99: number;
    readonly max: number;
  };
  /** The median time until the first bytes of a response. */
  readonly firstByteMs: number;
}

export type GeneratorMessage =
  | { readonly kind: 'done'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly reason: string };
