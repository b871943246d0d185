import type { UserRow } from '../../service/ports/users.ts';
import { collectPages } from '../collect-pages.ts';
import type { Command } from '../command.ts';
import { formatTable } from '../format-table.ts';

export const userList: Command = {
  name: 'user list',
  summary: 'Show all accounts, oldest first.',
  operands: [],
  options: {},
  async run({ service }) {
    const rows = await collectPages((afterId, limit) => service.store.reader.users.page(afterId, limit));
    const users = rows.map(userJson);
    const text = formatTable(
      ['id', 'email', 'name', 'created'],
      users.map(({ id, email, name, createdAt }) => [id, email, name, createdAt]),
    );
    return { json: { users }, text: users.length === 0 ? 'There are no accounts.' : text };
  },
};

function userJson({ id, email, name, createdAt }: UserRow) {
  return { id, email, name, createdAt: new Date(createdAt).toISOString() };
}
