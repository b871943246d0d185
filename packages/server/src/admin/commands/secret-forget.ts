import { forgetCommon } from '../../start/refuse-disagreeing-node.ts';
import type { Command } from '../command.ts';

export const secretForget: Command = {
  name: 'secret forget',
  summary: 'Forget which secret the nodes have, to change STOA_SECRET on all of them. Stop them first.',
  operands: [],
  audit: 'as a command',
  options: {},
  async run({ service }) {
    await forgetCommon(service, 'secret');
    return {
      json: { forgotten: 'secret' },
      text: 'Forgotten: the secret of the next node that starts is the one that all must have.',
    };
  },
};
