import type { StoaApiError } from './stoa-api-error.ts';

/** The feed cannot be followed with this credential: trying again would not help. `cause` is the refusal. */
export class FeedStoppedError extends Error {
  override readonly name = 'FeedStoppedError';
  readonly status: number;
  override readonly cause: StoaApiError;

  constructor(workspaceId: string, cause: StoaApiError) {
    super(
      `The changes of workspace ${workspaceId} can no longer be followed: ${cause.message} (${cause.status})`,
    );
    this.status = cause.status;
    this.cause = cause;
  }
}
