import { forgetCommon } from '../../start/refuse-disagreeing-node.ts';
import type { Command } from '../command.ts';

export const contentsForget: Command = {
  name: 'contents forget',
  summary: 'Forget where the nodes keep large contents, after moving all of them. Stop the nodes first.',
  operands: [],
  audit: 'as a command',
  options: {},
  async run({ service }) {
    await forgetCommon(service, 'contents');
    return {
      json: { forgotten: 'contents' },
      text: 'Forgotten: the place of the next node that starts is the one that all must use.',
    };
  },
};
