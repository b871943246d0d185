import { auditLines } from '../../records/audit-record.ts';
import { readAllPages } from '../../service/audit/read-audit.ts';
import { type Command, RejectedCommand } from '../command.ts';

export const audit: Command = {
  name: 'audit',
  summary:
    'Print the audit log as lines of JSON, the oldest first: of everything, or what concerns one workspace. It holds addresses, and paths of private items.',
  operands: [],
  audit: 'nothing changes',
  options: {
    workspace: { type: 'string', required: false, says: 'only what concerns the workspace with this id' },
    since: {
      type: 'string',
      required: false,
      says: 'only from this moment on: 2026-11-20, 2026-11-20T14:30:00Z',
    },
    until: { type: 'string', required: false, says: 'only from before this moment' },
    person: {
      type: 'string',
      required: false,
      says: 'only what this person did, and what is about them: an id',
    },
  },
  async run({ service }, { options, print }) {
    const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
    const workspaceId = textOf(options.workspace);
    if (workspaceId !== null && (await service.store.reader.workspaces.find(workspaceId)) === null) {
      throw new RejectedCommand(
        `no workspace ${workspaceId}; \`npm run admin -- workspace list\` shows them`,
      );
    }
    const filter = {
      workspaceId,
      kind: null,
      personId: textOf(options.person),
      since: parseTime('since', textOf(options.since)),
      until: parseTime('until', textOf(options.until)),
    };
    let entries = 0;
    for await (const page of readAllPages(service, filter)) {
      print(auditLines(page).trimEnd());
      entries += page.length;
    }
    return { json: { entries }, text: '', isPrinted: true };
  },
};

function parseTime(name: string, given: string | null): number | null {
  if (given === null) return null;
  const time = /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new RejectedCommand(`--${name} must be a day or a time, as 2026-11-20 or 2026-11-20T14:30:00Z`);
}
