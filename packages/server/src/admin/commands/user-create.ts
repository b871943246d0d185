import { randomBytes } from 'node:crypto';
import { WorkspaceError } from '@stoa/core';
import { parseNewPerson } from '../../service/people/parse-new-person.ts';
import { registerPerson } from '../../service/people/register-person.ts';
import { type Command, RejectedCommand } from '../command.ts';
import { passwordOption, readPassword } from '../person.ts';

/** Ignores the server's sign-up rule. */
export const userCreate: Command = {
  name: 'user create',
  summary: 'Create an account. Without --password-stdin, a password is generated and printed once.',
  operands: [],
  begins: true,
  audit: 'by its scripts',
  options: {
    email: { type: 'string', required: true, says: 'address for signing in' },
    name: { type: 'string', required: true, says: 'name that other members see' },
    ...passwordOption,
  },
  async run(deps, input) {
    const { email, name } = input.options;
    const isGiven = input.options['password-stdin'] === true;
    const password = isGiven ? await readPassword(input) : randomBytes(18).toString('base64url');
    const person = parseNewPerson({ email, name, password });
    const id = await register(() =>
      registerPerson(deps.service, { kind: 'operator' }, person, deps.hashPassword),
    );
    const user = { id, email: person.email, name: person.name };
    const made = `Created the account ${id} for ${person.email}.`;
    if (isGiven) return { json: { user }, text: made };
    return { json: { user, password }, text: `${made}\nPassword, shown only now: ${password}` };
  },
};

async function register(run: () => Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'email_taken') {
      throw new RejectedCommand(
        'an account with this e-mail address exists; `npm run admin -- user list` shows it',
      );
    }
    throw error;
  }
}
