import { type HandedOver, handOver } from '../../service/people/hand-over.ts';
import { type Command, RefusedCommand } from '../command.ts';
import { formatTable } from '../format-table.ts';
import { nameOf, refusalWithAdvice, requirePerson, requireYes, yesOption } from '../person.ts';

export const userHandOver: Command = {
  name: 'user hand-over',
  summary: 'Give the workspaces that a disabled person owns, and their private items, to somebody else.',
  operands: ['user'],
  audit: 'by its scripts',
  options: {
    to: { type: 'string', required: true, says: 'the id or e-mail address of who takes them' },
    workspace: { type: 'string', required: false, says: 'the id of the one workspace to do it in' },
    ...yesOption,
  },
  async run({ service }, input) {
    const [given = ''] = input.operands;
    const from = await requirePerson(service, given);
    const to = await requirePerson(service, String(input.options.to));
    if (from.disabledAt === null) {
      throw new RefusedCommand(
        `${nameOf(from)} still has access; \`npm run admin -- user disable ${from.id}\` comes first`,
      );
    }
    if (to.disabledAt !== null) throw new RefusedCommand(`${nameOf(to)} is disabled and can take nothing`);
    requireYes(input, `This gives what ${nameOf(from)} owns to ${nameOf(to)}, private items included.`);
    const { workspace } = input.options;
    const workspaceId = typeof workspace === 'string' ? workspace : null;
    const wanted = { fromUserId: from.id, toUserId: to.id, workspaceId };
    const workspaces = await handOver(service, wanted, input.progress).catch((error: unknown) => {
      const changed = 'Something changed meanwhile: give the command again, and it does the rest.';
      throw refusalWithAdvice(error, { forbidden_role: changed, file_not_found: changed });
    });
    return { json: { from: from.id, to: to.id, workspaces }, text: report(workspaces, nameOf(to)) };
  },
};

function report(workspaces: readonly HandedOver[], to: string): string {
  if (workspaces.length === 0) return 'There was nothing to hand over.';
  const table = formatTable(
    ['workspace', 'name', 'owner now', 'private items', 'left as they are'],
    workspaces.map(({ workspaceId, name, ownership, items, itemsLeft }) => [
      workspaceId,
      name,
      ownership ? 'yes' : 'as before',
      String(items),
      String(itemsLeft),
    ]),
  );
  const left = workspaces.filter(({ itemsLeft }) => itemsLeft > 0);
  if (left.length === 0) return table;
  return [
    table,
    `${to} is not a member where items were left. Hand those over to a member with --workspace, or share them one by one:`,
    ...left.map(({ workspaceId }) => `  npm run admin -- privacy list ${workspaceId}`),
  ].join('\n');
}
