import { type ContentHash, literalTokens, type Viewer } from '@stoa/core';
import type { FileRow } from '../ports/files.ts';
import type { IndexedTexts } from './indexed-texts.ts';

type HasContent = Pick<FileRow, 'contentHash'>;

/** Tells which texts may contain a literal text. */
export interface LiteralView {
  /** Returns whether each of these files has to be read: the others cannot contain the text. */
  mayHave(files: readonly HasContent[]): Promise<(file: HasContent) => boolean>;
  isKnownNotText(hash: ContentHash): boolean;
}

/** The words of a literal text show which texts may contain it; a text within a word has to be looked for in all words. */
export async function literalViewOf(
  indexedTexts: IndexedTexts,
  of: { readonly workspaceId: string; readonly viewer: Viewer },
  literal: string,
): Promise<LiteralView> {
  const tokens = literalTokens(literal);
  // A part of the workspace is asked page by page.
  const asked = of.viewer.within === '' ? tokens.filter(({ isStart }) => isStart) : [];
  const { find, holders, among } = await indexedTexts.ask({ ...of, tokens: asked, ids: () => [] });
  const rest =
    asked.length > 0 && holders.every((ids) => ids !== null)
      ? tokens.filter(({ isStart }) => !isStart)
      : tokens;
  return {
    isKnownNotText: (hash) => find(hash)?.isText === false,
    async mayHave(files) {
      const ids = files.flatMap(({ contentHash }) => {
        const found = find(contentHash);
        return found?.isText === true && holders.every((each) => each === null || each.has(found.id))
          ? [found.id]
          : [];
      });
      const found = rest.length === 0 || ids.length === 0 ? null : await among(ids, rest);
      const mayHave = new Set(ids.filter((id) => found === null || found.every((each) => each.has(id))));
      return ({ contentHash }) => {
        const indexed = find(contentHash);
        return indexed === null || mayHave.has(indexed.id);
      };
    },
  };
}
