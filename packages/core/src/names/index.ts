export type { NameTraits } from './name-traits.ts';
