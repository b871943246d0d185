export { type Blame, type BlamedLines, blameLines } from './blame-lines.ts';
export type { ListedLine } from './closest-line.ts';
export { editText, type OthersLines, type TextEdited } from './edit-text.ts';
export { cutText, type LineRange } from './line-ranges.ts';
export type { WantedEdit } from './locate-edits.ts';
export { type OverlapText, type OverlapTexts, overlapTexts } from './overlap-texts.ts';
