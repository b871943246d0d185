import type { Command } from '../command.ts';

export const contentIndexRebuild: Command = {
  name: 'content-index rebuild',
  summary: 'Forget the index of searches in contents. Nodes that run begin it anew within a minute.',
  operands: [],
  options: {},
  async run({ openContentIndex }) {
    const index = await openContentIndex();
    try {
      await index.clear(null);
    } finally {
      await index[Symbol.asyncDispose]();
    }
    return {
      json: { forgotten: 'content-index' },
      text: 'Forgotten: the nodes that run make it anew. Until then searches in contents read the files.',
    };
  },
};
