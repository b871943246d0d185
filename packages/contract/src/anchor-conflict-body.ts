import type { AnchorConflict } from './schemas/anchor-conflict.ts';

/** The service's reason why an anchor could not be placed. */
export type UnplacedAnchor =
  | {
      readonly kind: 'ambiguous';
      readonly occurrences: number;
      readonly matches: readonly { readonly line: number; readonly excerpt: string }[];
    }
  | { readonly kind: 'not_found' }
  | {
      readonly kind: 'base_version_conflict';
      readonly baseVersion: number;
      readonly currentVersion: number;
      readonly reason: 'quote_changed' | 'base_unavailable';
    };

/** Returns the flat body of the outcome, 409 in REST (interface: comments, Start a thread). */
export function anchorConflictBody(outcome: UnplacedAnchor): AnchorConflict {
  switch (outcome.kind) {
    case 'ambiguous':
      return {
        error: 'anchor_ambiguous',
        occurrences: outcome.occurrences,
        matches: outcome.matches.map(({ line, excerpt }) => ({ line, excerpt })),
      };
    case 'not_found':
      return { error: 'anchor_not_found' };
    case 'base_version_conflict': {
      const { baseVersion, currentVersion, reason } = outcome;
      return { error: 'base_version_conflict', baseVersion, currentVersion, reason };
    }
  }
}
