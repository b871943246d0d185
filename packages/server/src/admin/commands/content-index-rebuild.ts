import { DamagedIndexError } from '../../service/ports/word-index.ts';
import { type Command, RejectedCommand } from '../command.ts';

export const contentIndexRebuild: Command = {
  name: 'content-index rebuild',
  summary: 'Delete the index for searches in contents. Running nodes start to rebuild it within a minute.',
  operands: [],
  audit: 'as a command',
  options: {},
  async run({ openWordIndex }) {
    const index = await openWordIndex();
    try {
      await index.clear(null);
    } catch (error) {
      if (!(error instanceof DamagedIndexError)) throw error;
      throw new RejectedCommand(
        'The index is damaged. Restart the service to rebuild it. Until then, searches in contents read the files.',
      );
    } finally {
      await index[Symbol.asyncDispose]();
    }
    return {
      json: { forgotten: 'content-index' },
      text: 'Deleted the index: running nodes rebuild it. Until then, searches in contents read the files.',
    };
  },
};
