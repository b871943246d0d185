import { endSessions } from '../../service/people/disable-person.ts';
import type { Command } from '../command.ts';
import { nameOf, requirePerson } from '../person.ts';

export const userEndSessions: Command = {
  name: 'user end-sessions',
  summary: 'Sign somebody out everywhere. Their keys go on.',
  operands: ['user'],
  audit: 'by its scripts',
  options: {},
  async run({ service }, { operands: [given = ''] }) {
    const person = await requirePerson(service, given);
    const sessions = await endSessions(service, person.id);
    return {
      json: { userId: person.id, sessions },
      text: `${nameOf(person)} is signed out everywhere. Sessions ended: ${sessions}.`,
    };
  },
};
