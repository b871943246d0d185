import { resolve } from 'node:path';
import { importExport } from '../../exporting/import-export.ts';
import type { Command } from '../command.ts';

export const importWorkspace: Command = {
  name: 'import',
  summary:
    'Make a new workspace of an export, with its history, feed and comments; all of it or nothing. The service may run.',
  operands: ['file'],
  audit: 'by its scripts',
  options: {
    owner: {
      type: 'string',
      required: false,
      says: 'the e-mail address of whoever is to own it; without it, the owners that the export names',
    },
    plan: {
      type: 'string',
      required: false,
      says: 'the plan of the workspace; without it, the default plan',
    },
  },
  async run({ service, openBlobs }, { operands: [given = ''], options, progress }) {
    const file = resolve(given);
    const optionOf = (value: unknown) => (typeof value === 'string' ? value : null);
    const { workspaceId, header, knownPeople, formerPeople } = await importExport(
      { ...service, blobs: await openBlobs() },
      file,
      { ownerEmail: optionOf(options.owner), planId: optionOf(options.plan) },
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
        `Imported ${file} as the workspace ${workspaceId} (${workspace.name}): ${records.files.lines} files, ${records.versions.lines} versions, ${records.changes.lines} changes, ${records.threads.lines} comment threads.`,
        `Of its people ${knownPeople} have an account here by their e-mail address; ${formerPeople} are kept as people who have left.`,
        'Keys, share links and invites are not in an export: make them anew. Whoever follows its feed begins anew.',
      ].join('\n'),
    };
  },
};
