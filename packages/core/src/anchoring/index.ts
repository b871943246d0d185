export { type Anchor, type AnchorStatus, anchorStatuses, type ByteRange } from './anchor.ts';
export { anchoringInlineMaxBytes, contextMaxBytes, quoteMaxBytes } from './anchoring-limits.ts';
export { type Alignment, alignContents } from './diff/alignment.ts';
export { type MapQuestion, mapAnchor } from './map-anchor.ts';
export { type MatchOutcome, type MatchQuestion, matchAnchor, type PlacedAnchor } from './match-anchor.ts';
export type { ListedMatch } from './matches/listed-match.ts';
export { type ResolvedAnchor, type ResolveQuestion, resolveAnchor } from './resolve-anchor.ts';
export { likeness } from './text/likeness.ts';
