import { beforeEverything, type ContentIndex } from '../../service/ports/content-index.ts';

/** Where no index can be kept: searches read the contents themselves, as far as their time goes. */
export const noContentIndex: ContentIndex = {
  isAvailable: false,
  place: async () => beforeEverything,
  candidates: async () => ({ place: beforeEverything, mayHold: null }),
  notText: async (_, after) => ({ hashes: [], last: after }),
  missing: async () => [],
  advance: async () => false,
  page: async () => ({ count: 0, contents: [] }),
  remove: async () => false,
  clear: async () => {},
  async [Symbol.asyncDispose]() {},
};
