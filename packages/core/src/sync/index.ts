export { needsConfirmation } from './decide-holds.ts';
export * from './holds.ts';
export {
  folderOf,
  isPlaceholder,
  isPlaceholderPath,
  placeholderHash,
  placeholderOf,
  placeholderText,
} from './is-placeholder.ts';
export type * from './operations.ts';
export { planSync } from './plan-sync.ts';
export { findRepositoryParts } from './repository-parts.ts';
export * from './skip-reasons.ts';
export * from './sync-facts.ts';
export * from './sync-limits.ts';
export type * from './trees.ts';
