import type {
  CreateWorkspaceInput,
  MemberList,
  OwnWorkspaceRecord,
  SearchAnswer,
  UpdateWorkspaceInput,
  UsageRecord,
  WorkspaceLimitExceeded,
  WorkspaceList,
  WorkspaceRecord,
  WorkspaceReference,
} from '@stoa/contract';
import { answerOf } from './answer-of.ts';
import { readApiError, readJson, readOutcome } from './read-json.ts';
import type { CallOptions, Transport } from './transport.ts';
import { workspaceUrl } from './workspace-url.ts';

export type CreateWorkspaceOutcome =
  | ({ readonly kind: 'created' } & OwnWorkspaceRecord)
  /** The plan allows no further workspace. */
  | { readonly kind: 'workspace_limit_exceeded'; readonly used: number; readonly limit: number };

/** Specification: Endpoints, Workspace. Refusals throw `StoaApiError`. */
export interface WorkspaceCalls {
  /** The workspace of a scoped key, else the caller's oldest one. */
  workspace(options?: CallOptions): Promise<WorkspaceReference>;
  /** With a session only. */
  listWorkspaces(options?: CallOptions): Promise<WorkspaceList>;
  /** With a session only. */
  createWorkspace(workspace: CreateWorkspaceInput, options?: CallOptions): Promise<CreateWorkspaceOutcome>;
  readWorkspace(workspaceId: string, options?: CallOptions): Promise<WorkspaceRecord>;
  /** What is left out stays; null clears. */
  updateWorkspace(
    workspaceId: string,
    fields: UpdateWorkspaceInput,
    options?: CallOptions,
  ): Promise<WorkspaceRecord>;
  usage(workspaceId: string, options?: CallOptions): Promise<UsageRecord>;
  members(workspaceId: string, options?: CallOptions): Promise<MemberList>;
  /** Names and paths, not contents. */
  search(
    workspaceId: string,
    text: string,
    options?: CallOptions & { readonly limit?: number },
  ): Promise<SearchAnswer>;
}

export function workspaceCalls(transport: Transport): WorkspaceCalls {
  return {
    workspace: async (options = {}) =>
      answerOf<WorkspaceReference>(transport, { method: 'GET', path: '/api/workspace', ...options }),
    listWorkspaces: async (options = {}) =>
      answerOf<WorkspaceList>(transport, { method: 'GET', path: '/api/workspaces', ...options }),
    createWorkspace: async (value, options = {}) =>
      transport(
        { method: 'POST', path: '/api/workspaces', body: { kind: 'json', value }, ...options },
        createOutcomeOf,
      ),
    readWorkspace: async (workspaceId, options = {}) =>
      answerOf<WorkspaceRecord>(transport, {
        method: 'GET',
        path: workspaceUrl(workspaceId, ''),
        ...options,
      }),
    updateWorkspace: async (workspaceId, value, options = {}) =>
      answerOf<WorkspaceRecord>(transport, {
        method: 'PATCH',
        path: workspaceUrl(workspaceId, ''),
        body: { kind: 'json', value },
        ...options,
      }),
    usage: async (workspaceId, options = {}) =>
      answerOf<UsageRecord>(transport, {
        method: 'GET',
        path: workspaceUrl(workspaceId, 'usage'),
        ...options,
      }),
    members: async (workspaceId, options = {}) =>
      answerOf<MemberList>(transport, {
        method: 'GET',
        path: workspaceUrl(workspaceId, 'members'),
        ...options,
      }),
    search: async (workspaceId, text, { limit, ...options } = {}) =>
      answerOf<SearchAnswer>(transport, {
        method: 'GET',
        path: workspaceUrl(workspaceId, 'search'),
        query: { q: text, limit },
        ...options,
      }),
  };
}

async function createOutcomeOf(response: Response): Promise<CreateWorkspaceOutcome> {
  if (response.status === 200) return { kind: 'created', ...(await readJson<OwnWorkspaceRecord>(response)) };
  if (response.status !== 402) throw await readApiError(response);
  const { used, limit } = await readOutcome<WorkspaceLimitExceeded>(response, ['workspace_limit_exceeded']);
  return { kind: 'workspace_limit_exceeded', used, limit };
}
