import { disablePerson } from '../../service/people/disable-person.ts';
import type { Command } from '../command.ts';
import { describePerson, nameOf, requirePerson } from '../person.ts';

export const userDisable: Command = {
  name: 'user disable',
  summary: "End somebody's access at once. What they wrote and their name stay.",
  operands: ['user'],
  audit: 'by its scripts',
  options: {},
  async run({ service }, { operands: [given = ''] }) {
    const { id } = await requirePerson(service, given);
    const ended = await disablePerson(service, id);
    const person = await requirePerson(service, id);
    const { sessions, invites, deviceCodes } = ended;
    return {
      json: { user: describePerson(person), ended },
      text: [
        `${nameOf(person)} is disabled: no session, key or sign-in of theirs works from the next request on.`,
        `Ended: sessions ${sessions}, invites they made ${invites}, codes of devices ${deviceCodes}.`,
        `\`npm run admin -- user enable ${id}\` lets them in again.`,
      ].join('\n'),
    };
  },
};
