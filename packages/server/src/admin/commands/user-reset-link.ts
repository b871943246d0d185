import { issuePasswordReset } from '../../service/people/set-password.ts';
import { type Command, RejectedCommand } from '../command.ts';
import { nameOf, requirePerson } from '../person.ts';

const usualHours = 24;
const hoursMax = 168;

export const userResetLink: Command = {
  name: 'user reset-link',
  summary: 'Create a link that lets a user set a new password once. It replaces an earlier link.',
  operands: ['user'],
  audit: 'by its scripts',
  options: {
    hours: {
      type: 'string',
      required: false,
      says: `lifetime in hours, 1 to ${hoursMax} (default ${usualHours})`,
    },
  },
  async run({ service, config }, input) {
    const [given = ''] = input.operands;
    const hours = parseHours(input.options.hours);
    const person = await requirePerson(service, given, input);
    if (person.disabledAt !== null) {
      throw new RejectedCommand(
        `${nameOf(person)} is disabled; \`npm run admin -- user enable ${person.id}\` comes first`,
      );
    }
    const { token, expiresAt } = await issuePasswordReset(service, person.id, hours);
    // In the fragment, which is never sent to a server or logged.
    const url = `${config.appUrl}/reset#${token}`;
    const until = new Date(expiresAt).toISOString();
    return {
      json: { userId: person.id, url, expiresAt: until },
      text: [
        `${nameOf(person)} can set a new password once at this link, until ${until}:`,
        url,
        'Anyone with the link can use it: send it only to this user. It is shown only once.',
      ].join('\n'),
    };
  },
};

function parseHours(given: string | boolean | undefined): number {
  if (given === undefined) return usualHours;
  const hours = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (hours >= 1 && hours <= hoursMax) return hours;
  throw new RejectedCommand(`--hours must be a whole number from 1 to ${hoursMax}`);
}
