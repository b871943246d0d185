import { changeWorkspace } from '../change-workspace.ts';
import type { Command } from '../command.ts';

export const workspaceRenew: Command = {
  name: 'workspace renew',
  summary: 'Make a lapsed workspace writable again.',
  operands: ['workspaceId'],
  audit: 'by its scripts',
  options: {},
  run: ({ service }, { operands: [workspaceId = ''] }) =>
    changeWorkspace(service, workspaceId, { lapsed: false }, 'is active: it can be written to'),
};
