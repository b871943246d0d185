/** The service answered, and the answer is neither a success nor an outcome that is data. Nothing was changed. */
export class StoaApiError extends Error {
  override readonly name = 'StoaApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The name of the error where the answer has one: `invalid_api_key`, `workspace_read_only`, `file_too_large`. */
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
    const { error } = this.data;
    this.code = typeof error === 'string' ? error : null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}
