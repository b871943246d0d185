import { parseWorkspacePath } from '@stoa/core';
import { listDepartedOf } from '../../service/privacy/list-departed.ts';
import { inWorkspace } from '../change-workspace.ts';
import { collectPages } from '../collect-pages.ts';
import type { Command } from '../command.ts';
import { formatTable } from '../format-table.ts';

export const privacyList: Command = {
  name: 'privacy list',
  summary: 'Show the private items of people who have left a workspace.',
  operands: ['workspaceId'],
  audit: 'nothing changes',
  options: {},
  async run({ service }, { operands: [workspaceId = ''] }) {
    const rows = await collectPages(async (afterPath, limit) => {
      const after = afterPath === '' ? null : parseWorkspacePath(afterPath);
      const page = await inWorkspace(workspaceId, () =>
        listDepartedOf(service, workspaceId, { after, limit }),
      );
      return page.items.map((item) => ({ id: item.path, item }));
    });
    const items = rows.map(({ item }) => item);
    const text = formatTable(
      ['path', 'kind', 'owner', 'name'],
      items.map(({ path, kind, owner }) => [path, kind, owner.id, owner.name]),
    );
    return { json: { items }, text: items.length === 0 ? 'Nobody who left has private items here.' : text };
  },
};
