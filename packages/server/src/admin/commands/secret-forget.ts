import { forgetCommon } from '../../start/refuse-disagreeing-node.ts';
import { type Command, RefusedCommand } from '../command.ts';

export const secretForget: Command = {
  name: 'secret forget',
  summary:
    'Forget which secret the nodes of a PostgreSQL database have, to change STOA_SECRET on all of them. Stop them first.',
  operands: [],
  audit: 'as a command',
  options: {},
  async run({ service, config }) {
    if (config.database.kind === 'sqlite') {
      throw new RefusedCommand(
        'With SQLite there is one server, and no other secret to compare its own with: stop it, and start it with another STOA_SECRET. Everybody signs in anew then; share links still open but cannot be shown again.',
      );
    }
    await forgetCommon(service, 'secret');
    return {
      json: { forgotten: 'secret' },
      text: 'Forgotten: the secret of the next node that starts is the one that all must have. Start them with the new STOA_SECRET: without one they go on with what the database keeps.',
    };
  },
};
