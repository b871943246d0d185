/** Three texts to merge. */
export interface MergeCase {
  readonly name: string;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}
