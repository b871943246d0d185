import { type HandedOver, handOver } from '../../service/people/hand-over.ts';
import { type Command, RejectedCommand } from '../command.ts';
import { formatTable } from '../format-table.ts';
import { errorWithAdvice, nameOf, requirePerson, requireYes, yesOption } from '../person.ts';

export const userHandOver: Command = {
  name: 'user hand-over',
  summary: 'Transfer the workspaces and private items of a disabled user to another user.',
  operands: ['user'],
  audit: 'by its scripts',
  options: {
    to: { type: 'string', required: true, says: 'id or e-mail address of the new owner' },
    workspace: { type: 'string', required: false, says: 'limit it to this workspace id' },
    ...yesOption,
  },
  async run({ service }, input) {
    const [given = ''] = input.operands;
    const from = await requirePerson(service, given, input);
    const to = await requirePerson(service, String(input.options.to), input);
    if (from.disabledAt === null) {
      throw new RejectedCommand(
        `${nameOf(from)} still has access; \`npm run admin -- user disable ${from.id}\` comes first`,
      );
    }
    if (to.disabledAt !== null)
      throw new RejectedCommand(`${nameOf(to)} is disabled and cannot receive anything`);
    requireYes(
      input,
      `This transfers everything that ${nameOf(from)} owns to ${nameOf(to)}, including private items.`,
    );
    const { workspace } = input.options;
    const workspaceId = typeof workspace === 'string' ? workspace : null;
    const wanted = { fromUserId: from.id, toUserId: to.id, workspaceId };
    const workspaces = await handOver(service, wanted, input.progress).catch((error: unknown) => {
      const changed = 'The data changed during the command. Run it again to complete it.';
      throw errorWithAdvice(error, { forbidden_role: changed, file_not_found: changed });
    });
    return { json: { from: from.id, to: to.id, workspaces }, text: report(workspaces, nameOf(to)) };
  },
};

function report(workspaces: readonly HandedOver[], to: string): string {
  if (workspaces.length === 0) return 'There is nothing to transfer.';
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
    `${to} is not a member of the workspaces with items that were left. Transfer those to a member with --workspace, or share them one by one:`,
    ...left.map(({ workspaceId }) => `  npm run admin -- privacy list ${workspaceId}`),
  ].join('\n');
}
