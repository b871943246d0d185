import { changeWorkspace } from '../change-workspace.ts';
import { type Command, RejectedCommand } from '../command.ts';

export const workspacePlan: Command = {
  name: 'workspace plan',
  summary: 'Put a workspace on a plan of the file that STOA_PLANS names.',
  operands: ['workspaceId', 'planId'],
  audit: 'by its scripts',
  options: {},
  async run({ service }, { operands: [workspaceId = '', planId = ''] }) {
    const known = service.plans.plans.map(({ id }) => id);
    if (!known.includes(planId)) {
      throw new RejectedCommand(`no plan ${planId}; the plans are ${known.join(', ')} (STOA_PLANS)`);
    }
    return await changeWorkspace(service, workspaceId, { planId }, `is on the plan ${planId}`);
  },
};
