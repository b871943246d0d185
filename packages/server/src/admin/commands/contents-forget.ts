import { forgetCommon } from '../../start/reject-disagreeing-node.ts';
import type { Command } from '../command.ts';

export const contentsForget: Command = {
  name: 'contents forget',
  summary: 'Forget the location of large contents after moving all of them. Stop the nodes first.',
  operands: [],
  audit: 'as a command',
  options: {},
  async run({ service }) {
    await forgetCommon(service, 'contents');
    return {
      json: { forgotten: 'contents' },
      text: 'Forgotten. The next node that starts sets the location that all nodes must use.',
    };
  },
};
