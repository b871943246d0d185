import type { Config } from '../config/parse-config.ts';
import type { Joining } from '../create-deps.ts';
import type { MetricSamples } from '../metrics/http-metrics.ts';
import type { BuildPlaces } from '../serve-http.ts';

/** What a further thread that answers requests is started with. */
export interface HttpThreadStart {
  /** As in force, with the port that all threads listen on. */
  readonly config: Config;
  readonly logLevel: string;
  readonly places: BuildPlaces;
  /** By which a collector of traces knows the process. */
  readonly instanceId: string;
}

export type ToThread =
  /** The first message: there is a store now. */
  | { readonly kind: 'join'; readonly joining: Joining }
  | { readonly kind: 'drain' }
  | { readonly kind: 'stop' }
  /** Asked once at a time. */
  | { readonly kind: 'measure' };

export type FromThread =
  | { readonly kind: 'listening' }
  /** It cannot start: a sentence for the operator. */
  | { readonly kind: 'refused'; readonly sentence: string }
  /** Whole lines of its log. */
  | { readonly kind: 'log'; readonly block: string }
  | { readonly kind: 'measured'; readonly samples: MetricSamples }
  /** The storage failed in a way that must not be gone on from. */
  | { readonly kind: 'fatal'; readonly error: Error }
  | { readonly kind: 'stopped'; readonly outcome: 'answered' | 'cut off' };
