import { randomBytes } from 'node:crypto';
import { parsePassword } from '../../service/people/parse-new-person.ts';
import { setPassword } from '../../service/people/set-password.ts';
import type { Command } from '../command.ts';
import { nameOf, passwordOption, readPassword, requirePerson } from '../person.ts';

export const userSetPassword: Command = {
  name: 'user set-password',
  summary:
    'Set a new password for a user and sign them out. Without --password-stdin, a password is generated and printed once.',
  operands: ['user'],
  audit: 'by its scripts',
  options: passwordOption,
  async run({ service, hashPassword }, input) {
    const [given = ''] = input.operands;
    const person = await requirePerson(service, given, input);
    const isGiven = input.options['password-stdin'] === true;
    const password = parsePassword(
      isGiven ? await readPassword(input) : randomBytes(18).toString('base64url'),
    );
    const sessions = await setPassword(service, person.id, await hashPassword(password));
    const done = `${nameOf(person)} has a new password. Sessions ended: ${sessions}.`;
    const json = { userId: person.id, sessions };
    if (isGiven) return { json, text: done };
    return { json: { ...json, password }, text: `${done}\nPassword, shown only now: ${password}` };
  },
};
