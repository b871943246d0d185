import { forgetSecretScript } from '../../service/secrets/load-shared-secret.ts';
import { markNames } from '../../start/move-marks.ts';
import { type Command, RejectedCommand } from '../command.ts';

export const moveForget: Command = {
  name: 'move forget',
  summary:
    'Let the service start on an installation that was, or is being, moved elsewhere. Give up the new installation first: data written there does not come back.',
  operands: [],
  audit: 'as a command',
  options: {},
  async run({ service: { store } }) {
    if ((await store.reader.secrets.find(markNames.left)) === null) {
      throw new RejectedCommand('this installation was not moved: the service can start on it');
    }
    await store.transact(forgetSecretScript, { name: markNames.left });
    return {
      json: { forgotten: 'move' },
      text: 'Forgotten: the service can start here again. Never run it at the same time as the installation that it was moved to.',
    };
  },
};
