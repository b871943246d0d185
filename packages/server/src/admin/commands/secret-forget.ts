import { forgetCommon } from '../../start/reject-disagreeing-node.ts';
import { type Command, RejectedCommand } from '../command.ts';

export const secretForget: Command = {
  name: 'secret forget',
  summary:
    'Forget the secret of the nodes of a PostgreSQL database, to change STOA_SECRET on all of them. Stop them first.',
  operands: [],
  audit: 'as a command',
  options: {},
  async run({ service, config }) {
    if (config.database.kind === 'sqlite') {
      throw new RejectedCommand(
        'With SQLite there is one server, so there is nothing to forget: restart it with another STOA_SECRET. All users must then sign in again; share links still open but cannot be shown again.',
      );
    }
    await forgetCommon(service, 'secret');
    return {
      json: { forgotten: 'secret' },
      text: 'Forgotten. The next node that starts sets the secret of all nodes. Start them with the new STOA_SECRET: without it they keep using the secret in the database.',
    };
  },
};
