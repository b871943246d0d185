import { changeWorkspace } from '../change-workspace.ts';
import type { Command } from '../command.ts';

export const workspaceLapse: Command = {
  name: 'workspace lapse',
  summary: 'Make a workspace read-only: reads, moves and deletes still work.',
  operands: ['workspaceId'],
  audit: 'by its scripts',
  options: {},
  run: ({ service }, { operands: [workspaceId = ''] }) =>
    changeWorkspace(service, workspaceId, { lapsed: true }, 'is lapsed: it is read-only from now on'),
};
