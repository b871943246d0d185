import { commentTools } from './comment-tools.ts';
import { fileTools } from './file-tools.ts';
import { historyTools } from './history-tools.ts';
import { shareTools } from './share-tools.ts';
import { workspaceTools } from './workspace-tools.ts';

/** Every tool of the MCP interface, in the order in which they are listed. */
export const tools = {
  ...workspaceTools,
  ...fileTools,
  ...historyTools,
  ...shareTools,
  ...commentTools,
};

export type ToolId = keyof typeof tools;
