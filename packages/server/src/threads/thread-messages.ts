import type { Config } from '../config/parse-config.ts';
import type { Joining } from '../create-deps.ts';
import type { MetricSamples } from '../metrics/http-metrics.ts';
import type { BuildLocations } from '../serve-http.ts';

export interface HttpThreadStart {
  /** The effective settings, with the port that all threads listen on. */
  readonly config: Config;
  readonly logLevel: string;
  readonly locations: BuildLocations;
  /** Identifies the process to a trace collector. */
  readonly instanceId: string;
}

export type ToThread =
  /** The first message: the store is open. */
  | { readonly kind: 'join'; readonly joining: Joining }
  | { readonly kind: 'drain' }
  | { readonly kind: 'stop' }
  /** Only one request at a time. */
  | { readonly kind: 'measure' };

export type FromThread =
  | { readonly kind: 'listening' }
  /** It cannot start: a message for the operator. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Whole lines of its log. */
  | { readonly kind: 'log'; readonly block: string }
  | { readonly kind: 'measured'; readonly samples: MetricSamples }
  /** The storage failed permanently. */
  | { readonly kind: 'fatal'; readonly error: Error }
  | { readonly kind: 'stopped'; readonly outcome: 'answered' | 'cut off' };
