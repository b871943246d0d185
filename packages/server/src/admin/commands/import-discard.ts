import { discardImport } from '../../exporting/discard-import.ts';
import { type Command, RejectedCommand } from '../command.ts';

export const importDiscard: Command = {
  name: 'import-discard',
  summary:
    'Remove the remains of an interrupted import. `check` names its workspace (workspace_without_counter).',
  operands: ['workspaceId'],
  audit: 'as a command',
  options: {},
  async run({ service, openBlobs }, { operands: [workspaceId = ''] }) {
    if (!(await discardImport({ store: service.store, blobs: await openBlobs() }, workspaceId))) {
      throw new RejectedCommand(`there is no unfinished import of a workspace ${workspaceId}`);
    }
    return {
      json: { discarded: workspaceId },
      text: `Removed the unfinished import of ${workspaceId}.`,
    };
  },
};
