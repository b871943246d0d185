/** The service responded with something that the contract does not describe for the call. Nothing was changed. */
export class StoaApiError extends Error {
  override readonly name = 'StoaApiError';
  /** The HTTP status. */
  readonly status: number;
  /**
   * The name of the error if the response has one: `invalid_api_key`, `workspace_read_only`, `file_too_large`; for
   * sign-in `INVALID_PASSWORD` and similar.
   */
  readonly code: string | null;
  /** The facts of the error: `data` of an error body, or the whole of a flat one. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The pause that the service asks for. */
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
 * No response: the service was unreachable, broke off, or took too long. It is unknown whether a change was made. A
 * write with its precondition can be sent again, because the same bytes succeed twice.
 */
export class StoaConnectionError extends Error {
  override readonly name = 'StoaConnectionError';
}

/** The feed cannot be followed with this credential, and a retry would not help. `cause` is the service's error. */
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
