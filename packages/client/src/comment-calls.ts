import type {
  AnchorConflict,
  CommentList,
  CommentThread,
  RepliedEntry,
  ReplyInput,
  ResolvedThread,
  StartedThread,
  StartThreadInput,
} from '@stoa/contract';
import { answerOf } from './answer-of.ts';
import { encodeSegment } from './encode-path.ts';
import { type FileBytes, fileBytesOf } from './file-bytes.ts';
import { readApiError, readJson, readOutcome } from './read-json.ts';
import type { CallOptions, Transport } from './transport.ts';
import { workspaceUrl } from './workspace-url.ts';

/** Which threads, and how many: what is left out asks for any. Sizes above the service's maximum count as that. */
export interface CommentQuery {
  readonly path?: string;
  readonly threadId?: string;
  readonly status?: CommentThread['status'];
  readonly anchorStatus?: CommentThread['anchorStatus'];
  /** A user id. */
  readonly author?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly entriesLimit?: number;
  readonly entriesOffset?: number;
}

export type StartThreadOutcome =
  | { readonly kind: 'created'; readonly thread: CommentThread }
  /** The quote stands in several places: say which, by contexts or by `occurrence`. */
  | {
      readonly kind: 'ambiguous';
      readonly occurrences: number;
      readonly matches: readonly { readonly line: number; readonly excerpt: string }[];
    }
  | { readonly kind: 'not_found' }
  /** The quote was copied from an older version and cannot be found again in the current one. */
  | {
      readonly kind: 'base_version_conflict';
      readonly baseVersion: number;
      readonly currentVersion: number;
      readonly reason: 'quote_changed' | 'base_unavailable';
    };

/** Specification: Endpoints, Comments. Refusals throw `StoaApiError`. */
export interface CommentCalls {
  listComments(workspaceId: string, query?: CallOptions & CommentQuery): Promise<CommentList>;
  startThread(
    workspaceId: string,
    thread: StartThreadInput,
    options?: CallOptions,
  ): Promise<StartThreadOutcome>;
  /** With a `dedupeKey` the call may be repeated. */
  reply(
    workspaceId: string,
    threadId: string,
    reply: ReplyInput,
    options?: CallOptions,
  ): Promise<RepliedEntry>;
  /** May be repeated. */
  setResolved(
    workspaceId: string,
    threadId: string,
    resolved: boolean,
    options?: CallOptions,
  ): Promise<ResolvedThread>;
  /** The markdown that the thread was written against. */
  readPinnedContent(workspaceId: string, threadId: string, options?: CallOptions): Promise<FileBytes>;
}

export function commentCalls(transport: Transport): CommentCalls {
  const threadUrl = (workspaceId: string, threadId: string, what: string) =>
    workspaceUrl(workspaceId, `comments/${encodeSegment(threadId)}/${what}`);
  return {
    listComments: async (workspaceId, { signal, ...query } = {}) =>
      answerOf<CommentList>(transport, {
        method: 'GET',
        path: workspaceUrl(workspaceId, 'comments'),
        query: { ...query },
        ...(signal === undefined ? {} : { signal }),
      }),

    startThread: async (workspaceId, value, options = {}) =>
      transport(
        {
          method: 'POST',
          path: workspaceUrl(workspaceId, 'comments'),
          body: { kind: 'json', value },
          ...options,
        },
        startThreadOutcomeOf,
      ),

    reply: async (workspaceId, threadId, value, options = {}) =>
      transport(
        {
          method: 'POST',
          path: threadUrl(workspaceId, threadId, 'replies'),
          body: { kind: 'json', value },
          ...options,
        },
        async (response) => {
          if (response.status !== 201) throw await readApiError(response);
          return readJson<RepliedEntry>(response);
        },
      ),

    setResolved: async (workspaceId, threadId, resolved, options = {}) =>
      answerOf<ResolvedThread>(transport, {
        method: 'PUT',
        path: threadUrl(workspaceId, threadId, 'resolved'),
        body: { kind: 'json', value: { resolved } },
        ...options,
      }),

    readPinnedContent: async (workspaceId, threadId, options = {}) =>
      transport(
        { method: 'GET', path: threadUrl(workspaceId, threadId, 'pinned-content'), ...options },
        async (response) => {
          if (response.status !== 200) throw await readApiError(response);
          return fileBytesOf(response);
        },
      ),
  };
}

async function startThreadOutcomeOf(response: Response): Promise<StartThreadOutcome> {
  if (response.status === 201)
    return { kind: 'created', thread: (await readJson<StartedThread>(response)).thread };
  if (response.status !== 409) throw await readApiError(response);
  const conflict = await readOutcome<AnchorConflict>(response, [
    'anchor_ambiguous',
    'anchor_not_found',
    'base_version_conflict',
  ]);
  switch (conflict.error) {
    case 'anchor_ambiguous':
      return { kind: 'ambiguous', occurrences: conflict.occurrences, matches: conflict.matches ?? [] };
    case 'anchor_not_found':
      return { kind: 'not_found' };
    case 'base_version_conflict': {
      const { baseVersion, currentVersion, reason } = conflict;
      return { kind: 'base_version_conflict', baseVersion, currentVersion, reason };
    }
  }
}
