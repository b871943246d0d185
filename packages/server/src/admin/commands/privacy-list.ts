import { parseWorkspacePath } from '@stoa/core';
import { listItemsOfFormerMember } from '../../service/privacy/list-former-member-items.ts';
import { inWorkspace } from '../change-workspace.ts';
import { collectPages } from '../collect-pages.ts';
import type { Command } from '../command.ts';
import { formatTable } from '../format-table.ts';

export const privacyList: Command = {
  name: 'privacy list',
  summary: 'List the private items of former members and of disabled accounts.',
  operands: ['workspaceId'],
  audit: 'nothing changes',
  options: {},
  async run({ service }, { operands: [workspaceId = ''] }) {
    const rows = await collectPages(async (afterPath, limit) => {
      const after = afterPath === '' ? null : parseWorkspacePath(afterPath);
      const page = await inWorkspace(workspaceId, () =>
        listItemsOfFormerMember(service, workspaceId, { after, limit }),
      );
      return page.items.map((item) => ({ id: item.path, item }));
    });
    const members = await service.store.reader.members.listOf(workspaceId);
    const memberIds = new Set(members.map(({ userId }) => userId));
    const items = rows.map(({ item }) => ({ ...item, isMember: memberIds.has(item.owner.id) }));
    const text = formatTable(
      ['path', 'kind', 'owner', 'name', 'why'],
      items.map(({ path, kind, owner, isMember }) => {
        return [path, kind, owner.id, owner.name, isMember ? 'disabled' : 'left'];
      }),
    );
    const none = 'No former member or disabled account has private items here.';
    return { json: { items }, text: items.length === 0 ? none : text };
  },
};
