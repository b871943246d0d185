/** The service answered, and the answer is not one that the contract describes for the call. Nothing was changed. */
export class StoaApiError extends Error {
  override readonly name = 'StoaApiError';
  /** The HTTP status. */
  readonly status: number;
  /**
   * The name of the error where the answer has one: `invalid_api_key`, `workspace_read_only`, `file_too_large`; of
   * signing in `INVALID_PASSWORD` and the like.
   */
  readonly code: string | null;
  /** The facts that came with it: `data` of an error body, or the whole of a flat one. */
  readonly data: Readonly<Record<string, unknown>>;
  /** How long the service asks to be left alone. */
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    facts: {
      readonly status: number;
      readonly data?: Readonly<Record<string, unknown>>;
      readonly retryAfterSeconds?: number | null;
    },
  ) {
    super(message);
    this.status = facts.status;
    this.data = facts.data ?? {};
    const { error, code } = this.data;
    const name = error ?? code;
    this.code = typeof name === 'string' ? name : null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}

/**
 * No answer came: the service was not reached, broke off, or took too long. Whether a change was made is not known; a
 * write with its precondition can be sent again, since the same bytes succeed twice.
 */
export class StoaConnectionError extends Error {
  override readonly name = 'StoaConnectionError';
}

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
