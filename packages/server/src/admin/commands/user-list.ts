import { collectPages } from '../collect-pages.ts';
import type { Command } from '../command.ts';
import { formatTable } from '../format-table.ts';
import { describePerson } from '../person.ts';

export const userList: Command = {
  name: 'user list',
  summary: 'Show all accounts, oldest first.',
  operands: [],
  audit: 'nothing changes',
  options: {},
  async run({ service }) {
    const rows = await collectPages((afterId, limit) => service.store.reader.users.page(afterId, limit));
    const users = rows.map(describePerson);
    const text = formatTable(
      ['id', 'email', 'name', 'created', 'disabled'],
      users.map(({ id, email, name, createdAt, disabledAt }) => [
        id,
        email,
        name,
        createdAt,
        disabledAt ?? '',
      ]),
    );
    return { json: { users }, text: users.length === 0 ? 'There are no accounts.' : text };
  },
};
