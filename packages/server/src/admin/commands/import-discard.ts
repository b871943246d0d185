import { discardImport } from '../../exporting/discard-import.ts';
import { type Command, RefusedCommand } from '../command.ts';

export const importDiscard: Command = {
  name: 'import-discard',
  summary:
    'Remove what an import left that was cut off; `check` names its workspace (workspace_without_counter).',
  operands: ['workspaceId'],
  audit: 'as a command',
  options: {},
  async run({ service, openBlobs }, { operands: [workspaceId = ''] }) {
    if (!(await discardImport({ store: service.store, blobs: await openBlobs() }, workspaceId))) {
      throw new RefusedCommand(`there is no import of a workspace ${workspaceId} that was not finished`);
    }
    return {
      json: { discarded: workspaceId },
      text: `Removed what was kept of the import of ${workspaceId}.`,
    };
  },
};
