import { endSessions } from '../../service/people/disable-person.ts';
import type { Command } from '../command.ts';
import { nameOf, requirePerson } from '../person.ts';

export const userEndSessions: Command = {
  name: 'user end-sessions',
  summary: 'Sign a user out everywhere. Their keys keep working.',
  operands: ['user'],
  audit: 'by its scripts',
  options: {},
  async run({ service }, input) {
    const [given = ''] = input.operands;
    const person = await requirePerson(service, given, input);
    const sessions = await endSessions(service, person.id);
    return {
      json: { userId: person.id, sessions },
      text: `${nameOf(person)} is signed out everywhere. Sessions ended: ${sessions}.`,
    };
  },
};
