import { issuePasswordReset } from '../../service/people/set-password.ts';
import { type Command, RefusedCommand } from '../command.ts';
import { nameOf, requirePerson } from '../person.ts';

const usualHours = 24;
const hoursMax = 168;

export const userResetLink: Command = {
  name: 'user reset-link',
  summary: 'Make a link by which somebody chooses a new password, once. It replaces an earlier one.',
  operands: ['user'],
  audit: 'by its scripts',
  options: {
    hours: {
      type: 'string',
      required: false,
      says: `how long it holds, 1 to ${hoursMax} hours; otherwise ${usualHours}`,
    },
  },
  async run({ service, config }, { operands: [given = ''], options }) {
    const hours = parseHours(options.hours);
    const person = await requirePerson(service, given);
    if (person.disabledAt !== null) {
      throw new RefusedCommand(
        `${nameOf(person)} is disabled; \`npm run admin -- user enable ${person.id}\` comes first`,
      );
    }
    const { token, expiresAt } = await issuePasswordReset(service, person.id, hours);
    // Behind the #, where no server and no log sees it.
    const url = `${config.appUrl}/reset#${token}`;
    const until = new Date(expiresAt).toISOString();
    return {
      json: { userId: person.id, url, expiresAt: until },
      text: [
        `${nameOf(person)} chooses a new password here, once, until ${until}:`,
        url,
        'Whoever has the link can use it: send it to nobody else. It is shown only now.',
      ].join('\n'),
    };
  },
};

function parseHours(given: string | boolean | undefined): number {
  if (given === undefined) return usualHours;
  const hours = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (hours >= 1 && hours <= hoursMax) return hours;
  throw new RefusedCommand(`--hours must be a whole number from 1 to ${hoursMax}`);
}
