import { extendedTools, tools } from '@stoa/contract';
import type { WorkspaceAccess } from '../../service/access.ts';
import { readUsage } from '../../service/workspaces/read-usage.ts';
import { counted } from '../counted.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { reachOf } from '../reach-text.ts';
import { type DataResponse, workspaceTool } from '../tool.ts';

interface UsageCall {
  readonly deps: McpDeps;
  readonly access: WorkspaceAccess;
}

export const getUsageTool = workspaceTool(tools.getUsage, async (call) => (await usageOf(call)).answer);

/** The extended set adds the bytes of earlier versions. */
export const getUsageWithHistoryTool = workspaceTool(extendedTools.getUsage, async (call) => {
  const { answer: response, usage } = await usageOf(call);
  const { historyBytes, limitHistoryBytes } = usage;
  const remaining = limitHistoryBytes === null ? null : Math.max(0, limitHistoryBytes - historyBytes);
  const history = `${counted(historyBytes, 'byte')} of earlier versions and deleted files, ${leftOf(remaining, limitHistoryBytes)}.`;
  return {
    text: `${response.text}\n${history}`,
    data: { ...response.data, historyBytes, limitHistoryBytes },
  };
});

async function usageOf({ deps, access }: UsageCall) {
  const usage = await readUsage(deps.service, access);
  const { usedBytes, limitBytes, remainingBytes, warning, usedFiles, limitFiles, remainingFiles } = usage;
  const reach = await reachOf(deps.service, access);
  const lines = [
    `${counted(usedBytes, 'byte')} used, ${leftOf(remainingBytes, limitBytes)}.`,
    `${counted(usedFiles, 'file')} used, ${leftOf(remainingFiles, limitFiles)}.`,
    warning ? `Warning: ${usedFiles} of ${limitFiles} files are used.` : 'No warning.',
    ...(reach === null
      ? []
      : [`This key reaches ${reach} only: what is used counts that, the limits are the workspace's.`]),
  ];
  const response: DataResponse = {
    text: lines.join('\n'),
    data: { usedBytes, limitBytes, remainingBytes, warning, usedFiles, limitFiles, remainingFiles },
  };
  return { answer: response, usage };
}

function leftOf(remaining: number | null, limit: number | null): string {
  return limit === null ? 'no limit' : `${remaining} left of ${limit}`;
}
