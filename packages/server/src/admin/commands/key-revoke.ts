import { WorkspaceError } from '@stoa/core';
import { revokeAnyKey } from '../../service/keys/revoke-key.ts';
import { type Command, RejectedCommand } from '../command.ts';

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: "Revoke an API key of any user. The feed's actorKeyId names the key behind a change.",
  operands: ['keyId'],
  audit: 'by its scripts',
  options: {},
  async run({ service }, { operands: [keyId = ''] }) {
    try {
      await revokeAnyKey(service, keyId);
    } catch (error) {
      if (error instanceof WorkspaceError && error.code === 'key_not_found') {
        throw new RejectedCommand(`no key ${keyId}, or it is revoked already; a key's id begins with key_`);
      }
      throw error;
    }
    return {
      json: { revoked: keyId },
      text: `The key ${keyId} is revoked: it fails from the next request on.`,
    };
  },
};
