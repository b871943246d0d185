import type { ChangePage, ChangesSince } from '@stoa/contract';
import { answerOf } from './answer-of.ts';
import type { CallOptions, Transport } from './transport.ts';
import { workspaceUrl } from './workspace-url.ts';

/** Specification: Events. Refusals throw `StoaApiError`. */
export interface FeedCalls {
  /** One page after a cursor. To follow the feed use `followFeed`, which keeps the cursor rules. */
  readChanges(
    workspaceId: string,
    query: {
      readonly sinceSeq: number;
      readonly limit?: number;
      readonly includeComments?: boolean;
      /** Lets the service hold the request while there is nothing new: 1 to 30. */
      readonly waitSeconds?: number;
    },
    options?: CallOptions,
  ): Promise<ChangePage>;
  /** By time, for showing activity. */
  readChangesSince(
    workspaceId: string,
    query: {
      readonly since: Date;
      readonly newestFirst?: boolean;
      readonly limit?: number;
      readonly includeComments?: boolean;
    },
    options?: CallOptions,
  ): Promise<ChangesSince>;
}

export function feedCalls(transport: Transport): FeedCalls {
  return {
    readChanges: async (workspaceId, { sinceSeq, limit, includeComments, waitSeconds }, options = {}) =>
      answerOf<ChangePage>(transport, {
        method: 'GET',
        path: workspaceUrl(workspaceId, 'changes'),
        query: {
          sinceSeq,
          limit,
          includeComments: includeComments === true ? 1 : undefined,
          wait: waitSeconds,
        },
        extraMs: (waitSeconds ?? 0) * 1000,
        ...options,
      }),

    readChangesSince: async (workspaceId, { since, newestFirst, limit, includeComments }, options = {}) =>
      answerOf<ChangesSince>(transport, {
        method: 'GET',
        path: workspaceUrl(workspaceId, 'changes'),
        query: {
          since: since.toISOString(),
          order: newestFirst === true ? 'desc' : undefined,
          limit,
          includeComments: includeComments === true ? 1 : undefined,
        },
        ...options,
      }),
  };
}
