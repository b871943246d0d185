import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { shownText } from '@stoa/core';
import { type ImportPlan, importExport } from '../../exporting/import-export.ts';
import { parsePeopleFile } from '../../exporting/people-file.ts';
import type { MetadataStore } from '../../service/ports/metadata-store.ts';
import { type Command, type CommandInput, RejectedCommand } from '../command.ts';
import { describeAccount, unverified } from '../person.ts';

const peopleFileMaxBytes = 1024 * 1024;
/** Maximum number of former members in the question. */
const namedMax = 50;

export const importWorkspace: Command = {
  name: 'import',
  summary:
    'Create a workspace from an export, with its history, feed and comments. Imports everything or nothing. The service may run.',
  operands: ['file'],
  audit: 'by its scripts',
  options: {
    owner: {
      type: 'string',
      required: false,
      says: 'id of the account that owns it; required unless --people maps an owner of the export',
    },
    people: {
      type: 'string',
      required: false,
      says: 'a file that maps people of the export to accounts here: a line "<person or e-mail> <account id>" for each. All others become former members',
    },
    plan: {
      type: 'string',
      required: false,
      says: 'plan of the workspace (default: the default plan)',
    },
    yes: { type: 'boolean', required: false, says: 'do not ask to confirm the accounts' },
  },
  async run({ service, openBlobs }, input) {
    const { operands, options, progress } = input;
    const file = resolve(operands[0] ?? '');
    const optionOf = (value: unknown) => (typeof value === 'string' ? value : null);
    const people = optionOf(options.people);
    let lines: readonly string[] = [];
    const { workspaceId, header, knownPeople, formerPeople } = await importExport(
      { ...service, blobs: await openBlobs() },
      file,
      {
        ownerId: await ownerIdOf(service.store, optionOf(options.owner)),
        accounts: people === null ? new Map() : parsePeopleFile(await readPeopleFile(people)),
        planId: optionOf(options.plan),
        async approve(plan) {
          lines = await linesOf(service.store, plan);
          await requireApproval(lines, input);
        },
      },
      progress,
    );
    const { records, workspace } = header;
    const counts = Object.fromEntries(Object.entries(records).map(([kind, { lines }]) => [kind, lines]));
    return {
      json: {
        workspaceId,
        name: workspace.name,
        head: workspace.head,
        records: counts,
        knownPeople,
        formerPeople,
      },
      text: [
        `Imported ${shownText(file)} as the workspace ${workspaceId} (${shownText(workspace.name)}): ${records.files.lines} files, ${records.versions.lines} versions, ${records.changes.lines} changes, ${records.threads.lines} comment threads.`,
        `Of its people ${knownPeople} have the account that --people names; ${formerPeople} are kept as former members.`,
        ...(options.yes === true ? lines : []),
        'An export has no keys, share links or invites: create new ones. Clients of its feed start from the beginning.',
      ].join('\n'),
    };
  },
};

async function readPeopleFile(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size > peopleFileMaxBytes) throw new RejectedCommand(`${file} is larger than 1 MiB`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** @throws RejectedCommand for an e-mail address, because anyone could have signed up with that address */
async function ownerIdOf({ reader }: Pick<MetadataStore, 'reader'>, given: string | null) {
  if (given === null || !given.includes('@')) return given;
  const account = await reader.users.findByEmail(given.toLowerCase());
  const found =
    account === null
      ? 'No account has this address.'
      : `It is ${await describeAccount({ reader }, account)}.`;
  throw new RejectedCommand(
    `--owner takes the id of an account, not an e-mail address. ${found} ${unverified} \`npm run admin -- user list\` shows the ids.`,
  );
}

/** Lists the accounts and former members of the new workspace, one line each. */
async function linesOf(
  { reader }: Pick<MetadataStore, 'reader'>,
  { header, matches, former, owner }: ImportPlan,
): Promise<readonly string[]> {
  const describe = (account: ImportPlan['matches'][number]['account']) =>
    describeAccount({ reader }, account);
  const lines = [`The workspace "${shownText(header.workspace.name)}" of the export:`];
  for (const { person, name, email, role, account } of matches) {
    const part = role ?? 'a former member';
    lines.push(
      `  ${person} "${shownText(name)}"${addressOf(email)}, ${part}, becomes ${await describe(account)}`,
    );
  }
  if (owner !== null) lines.push(`  its owner is ${await describe(owner)}`);
  for (const { person, name, email } of former.slice(0, namedMax)) {
    lines.push(`  ${person} "${shownText(name)}"${addressOf(email)} becomes a former member`);
  }
  if (former.length > namedMax) lines.push(`  and ${former.length - namedMax} more become former members`);
  return [...lines, unverified];
}

/** @throws RejectedCommand unless the operator agrees */
async function requireApproval(lines: readonly string[], { options, ask }: CommandInput): Promise<void> {
  if (options.yes === true) return;
  const shown = lines.join('\n');
  const isMeant = await ask(`${shown}\nImport it for these accounts?`);
  if (isMeant === true) return;
  throw new RejectedCommand(
    isMeant === null
      ? `${shown}\nNothing was imported, because there is no terminal for the question. If these are the right accounts, run the command again with --yes.`
      : 'Nothing was imported. --owner takes the account id of the owner, --people the accounts of others.',
  );
}

const addressOf = (email: string | null) => (email === null ? '' : ` <${shownText(email)}>`);
