export { type ChangedRange, changedRanges } from './changed-ranges.ts';
export { type MergeOptions, mergeTexts, type TextMerge, type TextOverlap } from './merge-texts.ts';
export { applyTextEdits, type TextEdit, type TextRange } from './text-edit.ts';
