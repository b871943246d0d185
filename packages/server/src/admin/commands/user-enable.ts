import { enablePerson } from '../../service/people/disable-person.ts';
import type { Command } from '../command.ts';
import { describePerson, nameOf, requirePerson } from '../person.ts';

export const userEnable: Command = {
  name: 'user enable',
  summary: 'Restore the access of a disabled user. Their keys work again; they must sign in again.',
  operands: ['user'],
  audit: 'by its scripts',
  options: {},
  async run({ service }, input) {
    const [given = ''] = input.operands;
    const { id } = await requirePerson(service, given, input);
    await enablePerson(service, id);
    const person = await requirePerson(service, id, input);
    return {
      json: { user: describePerson(person) },
      text: `${nameOf(person)} may sign in again, and their keys work again.`,
    };
  },
};
