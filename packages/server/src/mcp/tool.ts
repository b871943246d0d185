import type { ToolDescriptor, ToolInput } from '@stoa/contract';
import type { Caller, WorkspaceAccess } from '../service/access.ts';
import type { LargeContent } from './large-message.ts';
import type { McpDeps } from './mcp-deps.ts';

/**
 * What a tool answers (interface: mcp, Results). Some clients show an agent only the text, others only the
 * data: each says everything. A tool without data is text only.
 */
export interface ToolAnswer {
  /** Blocks of text: facts first, then content as it is. */
  readonly text: string | readonly string[];
  readonly data?: Readonly<Record<string, unknown>>;
}

/** An answer in one text with data beside it. */
export interface DataAnswer extends ToolAnswer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface AccountCall<Descriptor extends ToolDescriptor> {
  readonly deps: McpDeps;
  readonly caller: Caller;
  readonly input: ToolInput<Descriptor>;
}

interface WorkspaceCall<Descriptor extends ToolDescriptor> extends AccountCall<Descriptor> {
  readonly access: WorkspaceAccess;
  /** What a large message carried as `content`, which is empty in `input` then. */
  readonly content: LargeContent | null;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** A tool and its handler. Arguments are not parsed yet. */
export type Tool =
  | {
      readonly reach: 'account';
      readonly descriptor: ToolDescriptor;
      readonly handle: (call: AccountCall<ToolDescriptor>) => Promise<ToolAnswer>;
    }
  | {
      readonly reach: 'workspace';
      readonly descriptor: ToolDescriptor;
      readonly handle: (call: WorkspaceCall<ToolDescriptor>) => Promise<ToolAnswer>;
    };

/**
 * A tool that acts beyond any workspace.
 * @param handle may throw a `WorkspaceError`: a hard error, told with its text and what to do next.
 */
export function accountTool<const Descriptor extends ToolDescriptor & { readonly reach: 'account' }>(
  descriptor: Descriptor,
  handle: (call: AccountCall<Descriptor>) => Promise<ToolAnswer>,
): Tool {
  // The arguments were parsed by this descriptor, so they have the types that it stands for.
  return { reach: 'account', descriptor, handle: (call) => handle(call as never) };
}

/** A tool that acts in one workspace, which its caller reaches. See `accountTool`. */
export function workspaceTool<const Descriptor extends ToolDescriptor & { readonly reach: 'workspace' }>(
  descriptor: Descriptor,
  handle: (call: WorkspaceCall<Descriptor>) => Promise<ToolAnswer>,
): Tool {
  return { reach: 'workspace', descriptor, handle: (call) => handle(call as never) };
}
