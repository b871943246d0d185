import { disablePerson } from '../../service/people/disable-person.ts';
import type { Command } from '../command.ts';
import { describePerson, nameOf, requirePerson } from '../person.ts';

export const userDisable: Command = {
  name: 'user disable',
  summary: 'End the access of a user at once. Their files and their name stay.',
  operands: ['user'],
  audit: 'by its scripts',
  options: {},
  async run({ service }, input) {
    const [given = ''] = input.operands;
    const { id } = await requirePerson(service, given, input);
    const ended = await disablePerson(service, id);
    const person = await requirePerson(service, id, input);
    const { sessions, invites, deviceCodes } = ended;
    return {
      json: { user: describePerson(person), ended },
      text: [
        `${nameOf(person)} is disabled: their sessions, keys and sign-ins fail from the next request on.`,
        `Ended: sessions ${sessions}, invites they made ${invites}, codes of devices ${deviceCodes}.`,
        `\`npm run admin -- user enable ${id}\` restores access.`,
      ].join('\n'),
    };
  },
};
