import { type RemovalReview, removePerson } from '../../service/people/remove-person.ts';
import { type Command, RejectedCommand } from '../command.ts';
import { describePerson, errorWithAdvice, nameOf, requirePerson, requireYes, yesOption } from '../person.ts';

export const userRemove: Command = {
  name: 'user remove',
  summary: 'Remove an account permanently. Its files stay, attributed to a former member.',
  operands: ['user'],
  audit: 'by its scripts',
  options: yesOption,
  async run({ service }, input) {
    const [given = ''] = input.operands;
    const person = await requirePerson(service, given, input);
    requireYes(
      input,
      `This removes the account of ${nameOf(person)} with its memberships, keys, sessions and share links.`,
    );
    const outcome = await removePerson(service, person.id).catch((error: unknown) => {
      const changed = 'The data changed during the command. Run it again to complete it.';
      throw errorWithAdvice(error, { last_owner: changed, private_item: changed });
    });
    if (outcome.kind === 'in_the_way') throw new RejectedCommand(inTheWay(person.id, outcome));
    const { workspaces, keys, links } = outcome;
    return {
      json: { removed: describePerson(person), workspaces, keys, links },
      text: [
        `The account of ${nameOf(person)} was removed. Its files stay, attributed to a former member.`,
        `Ended: memberships ${workspaces}, keys ${keys}, share links ${links}, and all sessions.`,
      ].join('\n'),
    };
  },
};

function inTheWay(userId: string, { onlyOwnerOf, privateItemsIn }: RemovalReview): string {
  const lines = ['Nothing was removed.'];
  if (onlyOwnerOf.length > 0) {
    lines.push('This user is the only owner of:', ...onlyOwnerOf.map(({ id, name }) => `  ${id}  ${name}`));
  }
  if (privateItemsIn.length > 0) {
    lines.push('Private items that no other user could see, and their number:');
    lines.push(...privateItemsIn.map(({ id, name, items }) => `  ${id}  ${name}  ${items}`));
  }
  lines.push(
    'Transfer them first, then remove the account:',
    `  npm run admin -- user disable ${userId}`,
    `  npm run admin -- user hand-over ${userId} --to <user> --yes`,
  );
  return lines.join('\n');
}
