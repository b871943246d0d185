import { forgetSecretScript } from '../../service/secrets/load-shared-secret.ts';
import { markNames } from '../../start/move-marks.ts';
import { type Command, RefusedCommand } from '../command.ts';

export const moveForget: Command = {
  name: 'move forget',
  summary:
    'Let the service start on an installation that was, or is being, moved elsewhere: give that other one up first, for nothing that is written there comes back.',
  operands: [],
  audit: 'as a command',
  options: {},
  async run({ service: { store } }) {
    if ((await store.reader.secrets.find(markNames.left)) === null) {
      throw new RefusedCommand('this installation was not moved: the service starts on it as it is');
    }
    await store.transact(forgetSecretScript, { name: markNames.left });
    return {
      json: { forgotten: 'move' },
      text: 'Forgotten: the service starts here again. Never run it beside the one that it was moved to.',
    };
  },
};
