import { askOther } from '../create-engine.ts';
import type { SyncRequest } from '../engine/ports/request-box.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import type { Host } from '../output/host.ts';

/** Default timeout for the response of a watch. */
export const usualResponseSeconds = 60;

/** Another process works on the folder, and it cannot take requests or did not respond. */
export function busyFailure(folder: string, next: string): Failure {
  return new Failure({
    code: 'busy',
    exit: exitCodes.busy,
    message: `Another stoa works on ${folder}.`,
    next,
  });
}

/**
 * Sends a request to the process that works on the folder and waits for the result.
 * @returns its response, as plain data
 * @throws Failure `busy` without a response in time, else the reason of the failure
 */
export async function askWorking(
  { signal }: Host,
  folder: string,
  request: SyncRequest,
  seconds = usualResponseSeconds,
): Promise<object> {
  const response = await askOther(folder, request, { timeoutMs: seconds * 1000, signal });
  if (typeof response !== 'object' || response === null) {
    throw busyFailure(
      folder,
      'It did not respond in time. Run `stoa status` to see what it does, then try again or stop it.',
    );
  }
  if (!('error' in response)) return response;
  const { code, message } = failureIn(response.error);
  if (code === 'unknown_request') {
    throw busyFailure(
      folder,
      'It runs another version of stoa, which cannot do this. Stop it and run the command again.',
    );
  }
  const isPassing = code === 'passing' || code === 'not_stoa';
  throw new Failure({
    code,
    exit: isPassing ? exitCodes.unreachable : exitCodes.failed,
    message: `The stoa that works on ${folder} could not do it: ${message}.`,
    next: isPassing
      ? 'It retries automatically; `stoa status` shows the progress.'
      : '`stoa doctor` looks for the reason.',
  });
}

function failureIn(error: unknown): { readonly code: string; readonly message: string } {
  const facts: Readonly<Record<string, unknown>> =
    typeof error === 'object' && error !== null ? { ...error } : {};
  const { code, message } = facts;
  return {
    code: typeof code === 'string' ? code : 'failed',
    message: typeof message === 'string' ? message.replace(/\.$/, '') : 'no reason was given',
  };
}
