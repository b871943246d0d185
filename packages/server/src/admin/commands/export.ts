import { resolve } from 'node:path';
import { makeExport } from '../../exporting/make-export.ts';
import { inWorkspace } from '../change-workspace.ts';
import type { Command } from '../command.ts';

export const exportWorkspace: Command = {
  name: 'export',
  summary:
    'Write a workspace to a tar in the open format of docs/export-format.md: files, history, feed, comments, names. The service may run.',
  operands: ['workspaceId', 'file'],
  audit: 'as a command',
  options: {},
  async run({ service, openBlobs }, { operands: [workspaceId = '', given = ''], progress }) {
    const file = resolve(given);
    const deps = { store: service.store, blobs: await openBlobs() };
    const { header, files, contents } = await inWorkspace(workspaceId, () =>
      makeExport(deps, workspaceId, file, service.clock(), progress),
    );
    const { records, workspace } = header;
    const counts = Object.fromEntries(Object.entries(records).map(([kind, { lines }]) => [kind, lines]));
    return {
      json: { file, workspaceId, head: workspace.head, records: counts, entries: { files, contents } },
      text: [
        `Exported the workspace ${workspaceId} (${workspace.name}) to ${file}: ${records.files.lines} files, ${records.versions.lines} versions, ${records.changes.lines} changes, ${records.threads.lines} comment threads.`,
        'It holds private items and e-mail addresses of all members: keep it as you keep a backup.',
      ].join('\n'),
    };
  },
};
