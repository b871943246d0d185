import type { MapQuestion, PlaceOutcome, PlaceQuestion, ResolvedAnchor } from '@stoa/core';
import type { MapOutcome, ResolveJob } from '../service/ports/anchor-resolver.ts';

/** What the anchoring thread is asked: one question at a time, each with one answer. */
export type AnchoringQuestion =
  | { readonly kind: 'resolve'; readonly job: ResolveJob }
  | { readonly kind: 'place'; readonly question: PlaceQuestion }
  | { readonly kind: 'map'; readonly question: MapQuestion };

export type AnchoringAnswer =
  | { readonly kind: 'resolve'; readonly resolved: readonly ResolvedAnchor[] }
  | { readonly kind: 'place'; readonly outcome: PlaceOutcome }
  | { readonly kind: 'map'; readonly outcome: MapOutcome };
