import { jumpFeeds } from '../../service/checking/repair.ts';
import type { Command } from '../command.ts';

export const afterRestore: Command = {
  name: 'after-restore',
  summary:
    'After restoring a database with its own tools, advance all feed numbers so that none is reused. Run it before the service starts.',
  operands: [],
  audit: 'as a command',
  options: {},
  async run({ service }) {
    const workspaces = await jumpFeeds(service);
    return {
      json: { workspaces },
      text: `The feeds of ${workspaces} workspaces were advanced past every number used before. \`npm run admin -- check\` checks the rest.`,
    };
  },
};
