import { jumpFeeds } from '../../service/checking/repair.ts';
import type { Command } from '../command.ts';

export const afterRestore: Command = {
  name: 'after-restore',
  summary:
    'After a database was put back by its own tools: let the feeds go on further up than they ever were, before the service starts.',
  operands: [],
  audit: 'as a command',
  options: {},
  async run({ service }) {
    const workspaces = await jumpFeeds(service);
    return {
      json: { workspaces },
      text: `The feeds of ${workspaces} workspaces go on where no number was given out before. \`npm run admin -- check\` shows whether the rest fits.`,
    };
  },
};
