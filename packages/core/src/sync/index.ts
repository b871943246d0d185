export * from './holds.ts';
export * from './left-out-reasons.ts';
export type * from './operations.ts';
export type * from './sync-facts.ts';
export * from './sync-limits.ts';
export type * from './trees.ts';
