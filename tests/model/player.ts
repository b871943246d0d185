import type { McpClient, McpEra } from '../support/mcp-client.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import type { KeyKind } from './commands.ts';
import type { Actor } from './workspace/facts.ts';

/** One person's key in a workspace, with its clients and the expected fields of its changes. */
export interface Caller {
  readonly actor: Actor;
  readonly workspace: WorkspaceClient;
  /** Tools that act in the workspace, whether or not the key has to name it. */
  readonly tools: Readonly<Record<McpEra, Pick<McpClient, 'call'>>>;
}

/** One person, with a key of either kind. */
export type Player = Readonly<Record<KeyKind, Caller>>;
