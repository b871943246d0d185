import { tools } from '@stoa/contract';
import { readUsage } from '../../service/workspaces/read-usage.ts';
import { counted } from '../counted.ts';
import { workspaceTool } from '../tool.ts';

export const getUsageTool = workspaceTool(tools.getUsage, async ({ deps, access }) => {
  const usage = await readUsage(deps.service, access);
  const { usedBytes, limitBytes, remainingBytes, warning, usedFiles, limitFiles, remainingFiles } = usage;
  const lines = [
    `${counted(usedBytes, 'byte')} used, ${leftOf(remainingBytes, limitBytes)}.`,
    `${counted(usedFiles, 'file')} used, ${leftOf(remainingFiles, limitFiles)}.`,
    warning ? 'Warning: the file limit is nearly or wholly reached.' : 'No warning.',
  ];
  return {
    text: lines.join('\n'),
    data: { usedBytes, limitBytes, remainingBytes, warning, usedFiles, limitFiles, remainingFiles },
  };
});

function leftOf(remaining: number | null, limit: number | null): string {
  return limit === null ? 'no limit' : `${remaining} left of ${limit}`;
}
