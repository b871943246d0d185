import type { WorkspaceError } from '@stoa/core';
import { errorTable } from './error-table.ts';
import type { ErrorBody } from './schemas/error.ts';

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody | Readonly<Record<string, unknown>>;
}

/** Returns the response to a rejected request. */
export function errorResponse(error: WorkspaceError): ErrorResponse {
  const { code, details } = error;
  const { status, data, flat, headers } = errorTable[code];
  return {
    status,
    headers: headers?.(details) ?? {},
    body: flat?.(details) ?? errorBodyOf(status, errorText(error), data?.(details)),
  };
}

/** Returns the text of an error, which is the same on every surface. */
export function errorText({ code, message }: WorkspaceError): string {
  const { statusMessage, prefix = '' } = errorTable[code];
  return message === '' ? statusMessage : prefix + message;
}

/**
 * Returns a body in the form of `errorBody` for failures that are not a `WorkspaceError`: 500, or a framework's own.
 */
export function errorBodyOf(
  status: number,
  text: string,
  data?: Readonly<Record<string, unknown>>,
): ErrorBody {
  return { statusCode: status, statusMessage: text, message: text, ...(data === undefined ? {} : { data }) };
}
