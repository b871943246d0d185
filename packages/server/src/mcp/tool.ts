import type { ToolDescriptor, ToolInput } from '@stoa/contract';
import type { Caller, WorkspaceAccess } from '../service/access.ts';
import type { LargeContent } from './large-message.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { McpRequest } from './mcp-request.ts';

/**
 * The result of a tool (interface: mcp, Results). Some clients show an agent only the text, others only the data, so
 * each is complete. A tool without data has only text.
 */
export interface ToolResponse {
  /** Blocks of text: facts first, then the content unchanged. */
  readonly text: string | readonly string[];
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A result with one text and data. */
export interface DataResponse extends ToolResponse {
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
  /** Whether the caller may restore a file now; otherwise no text may suggest it. */
  readonly restores: boolean;
  /** The `content` of a large message; `input.content` is empty then. */
  readonly content: LargeContent | null;
  /** Aborted when the client no longer waits for the response. */
  readonly signal: AbortSignal;
  readonly whileWaiting: McpRequest['whileWaiting'];
}

/** A tool and its handler, which gets unparsed arguments. */
export type Tool =
  | {
      readonly reach: 'account';
      readonly descriptor: ToolDescriptor;
      readonly handle: (call: AccountCall<ToolDescriptor>) => Promise<ToolResponse>;
    }
  | {
      readonly reach: 'workspace';
      readonly descriptor: ToolDescriptor;
      readonly handle: (call: WorkspaceCall<ToolDescriptor>) => Promise<ToolResponse>;
    };

/**
 * Defines a tool that does not act in a workspace.
 * @param handle may throw a `WorkspaceError`, which becomes a hard error with its text and the next step
 */
export function accountTool<const Descriptor extends ToolDescriptor & { readonly reach: 'account' }>(
  descriptor: Descriptor,
  handle: (call: AccountCall<Descriptor>) => Promise<ToolResponse>,
): Tool {
  // This descriptor parsed the arguments, so they have its types.
  return { reach: 'account', descriptor, handle: (call) => handle(call as never) };
}

/** Defines a tool that acts in one workspace of its caller. See `accountTool`. */
export function workspaceTool<const Descriptor extends ToolDescriptor & { readonly reach: 'workspace' }>(
  descriptor: Descriptor,
  handle: (call: WorkspaceCall<Descriptor>) => Promise<ToolResponse>,
): Tool {
  return { reach: 'workspace', descriptor, handle: (call) => handle(call as never) };
}
