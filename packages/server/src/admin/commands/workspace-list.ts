import { describeWorkspace } from '../change-workspace.ts';
import { collectPages } from '../collect-pages.ts';
import type { Command } from '../command.ts';
import { formatTable } from '../format-table.ts';

export const workspaceList: Command = {
  name: 'workspace list',
  summary: 'Show all workspaces with their plan, status and usage.',
  operands: [],
  audit: 'nothing changes',
  options: {},
  async run({ service }) {
    const rows = await collectPages((afterId, limit) => service.store.reader.workspaces.page(afterId, limit));
    const workspaces = rows.map((row) => describeWorkspace(row, service.plans));
    const text = formatTable(
      ['id', 'name', 'plan', 'status', 'bytes', 'files', 'history bytes', 'created'],
      workspaces.map(({ id, name, plan, status, usedBytes, usedFiles, historyBytes, createdAt }) => [
        id,
        name,
        plan,
        status,
        String(usedBytes),
        String(usedFiles),
        String(historyBytes),
        createdAt,
      ]),
    );
    return { json: { workspaces }, text: workspaces.length === 0 ? 'There are no workspaces.' : text };
  },
};
