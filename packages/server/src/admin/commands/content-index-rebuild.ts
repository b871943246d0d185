import { DamagedIndexError } from '../../service/ports/content-index.ts';
import { type Command, RefusedCommand } from '../command.ts';

export const contentIndexRebuild: Command = {
  name: 'content-index rebuild',
  summary: 'Forget the index of searches in contents. Nodes that run begin it anew within a minute.',
  operands: [],
  audit: 'as a command',
  options: {},
  async run({ openContentIndex }) {
    const index = await openContentIndex();
    try {
      await index.clear(null);
    } catch (error) {
      if (!(error instanceof DamagedIndexError)) throw error;
      throw new RefusedCommand(
        'The index is damaged. Start the service again: it begins the index anew. Until then searches in contents read the files.',
      );
    } finally {
      await index[Symbol.asyncDispose]();
    }
    return {
      json: { forgotten: 'content-index' },
      text: 'Forgotten: the nodes that run make it anew. Until then searches in contents read the files.',
    };
  },
};
