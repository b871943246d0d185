import { beforeEverything, type ContentIndex } from '../../service/ports/content-index.ts';

/** Replacement where an index is impossible: searches read the contents themselves, within their time limit. */
export const noContentIndex: ContentIndex = {
  isAvailable: false,
  place: async () => beforeEverything,
  candidates: async () => ({ location: beforeEverything, mayHold: null }),
  notText: async (_, after) => ({ hashes: [], last: after }),
  missing: async () => [],
  advance: async () => false,
  page: async () => ({ count: 0, contents: [] }),
  remove: async () => false,
  clear: async () => {},
  async [Symbol.asyncDispose]() {},
};
