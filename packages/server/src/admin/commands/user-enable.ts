import { enablePerson } from '../../service/people/disable-person.ts';
import type { Command } from '../command.ts';
import { describePerson, nameOf, requirePerson } from '../person.ts';

export const userEnable: Command = {
  name: 'user enable',
  summary: 'Let a disabled person in again. Their keys work again; they sign in anew.',
  operands: ['user'],
  audit: 'by its scripts',
  options: {},
  async run({ service }, { operands: [given = ''] }) {
    const { id } = await requirePerson(service, given);
    await enablePerson(service, id);
    const person = await requirePerson(service, id);
    return {
      json: { user: describePerson(person) },
      text: `${nameOf(person)} may sign in again, and their keys work again.`,
    };
  },
};
