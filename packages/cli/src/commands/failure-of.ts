import { FeedStoppedError, StoaApiError, StoaConnectionError } from '@stoa/client';
import { WorkspaceError } from '@stoa/core';
import { RulesUnreadableError } from '../engine/ports/ignore-rules.ts';
import { FolderGoneError } from '../engine/ports/local-folder.ts';
import { RemoteFailure } from '../engine/ports/remote-workspace.ts';
import { StateDamagedError, StateDiskError, type StateDiskTrouble } from '../engine/ports/state-store.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';

/** The failure to show to the user for any thrown value. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof FeedStoppedError) return failureOf(error.cause);
  if (error instanceof StoaApiError) return failureOfError(error);
  if (error instanceof StoaConnectionError) {
    return new Failure({
      code: 'unreachable',
      exit: exitCodes.unreachable,
      message: `${error.message}${reasonOf(error.cause)}.`,
      next: 'Check the connection and the address, and try again.',
      cause: error,
    });
  }
  if (error instanceof RemoteFailure) return remoteFailure(error);
  if (error instanceof FolderGoneError) {
    return new Failure({
      code: 'folder_gone',
      message: `${error.message}.`,
      next: 'Nothing was changed. If it is on another disk, is that there?',
      cause: error,
    });
  }
  if (error instanceof StateDiskError) {
    return new Failure({
      code: error.trouble === 'locked' ? 'state_locked' : `disk_${error.trouble}`,
      message: `${error.message}.`,
      next: afterDiskTrouble[error.trouble],
      cause: error,
    });
  }
  if (error instanceof StateDamagedError) {
    return new Failure({
      code: 'state_damaged',
      message: `${error.message}.`,
      next: 'Your files are not damaged. Run `stoa doctor --fix` to quarantine the state; the next `stoa sync` joins both sides again.',
      cause: error,
    });
  }
  if (error instanceof RulesUnreadableError) {
    return new Failure({
      code: 'rules_unreadable',
      message: `${error.message}.`,
      next: 'Nothing was sent that they may keep here: let this user read them, and run it again.',
      cause: error,
    });
  }
  if (error instanceof WorkspaceError && error.code === 'invalid_path') {
    return new Failure({
      code: 'invalid_path',
      exit: exitCodes.usage,
      message: `This is not a path of a workspace: ${error.message}.`,
      next: 'A path looks like notes/plan.md; `stoa ls` lists the files.',
      cause: error,
    });
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return new Failure({
      code: 'interrupted',
      message: 'Ended before it was done.',
      next: 'Run it again.',
      cause: error,
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new Failure({
    code: 'failed',
    message: /[.!?]$/.test(message) ? message : `${message}.`,
    next: 'Run it again with --verbose to see where it came from.',
    cause: error,
  });
}

const afterDiskTrouble: Readonly<Record<StateDiskTrouble, string>> = {
  full: 'Nothing is lost: make room on it, and run it again.',
  read_only:
    'Nothing is lost. Make it writable and run the command again. If no user made it read-only, the system log says why.',
  denied:
    'Nothing is lost: run it as the user whose folder it is, or let this one read and write all that is in it.',
  failing:
    "Check the system log and this user's quota. Recorded changes are not lost: run the command again once the disk works.",
  locked: 'Nothing is lost: end what has state.db open, such as a viewer of databases, and run it again.',
};

function remoteFailure(error: RemoteFailure): Failure {
  const reason = error.cause instanceof StoaConnectionError ? reasonOf(error.cause) : '';
  const message = /[.!?]$/.test(error.message) ? error.message : `${error.message}${reason}.`;
  const reported = (code: string, exit: Failure['exit'], next: string) =>
    new Failure({ code, exit, message, next, cause: error });
  switch (error.kind) {
    case 'passing':
      return reported(
        'unavailable',
        exitCodes.unreachable,
        'Nothing is lost: run the same again in a while.',
      );
    case 'stopped':
      return reported(
        'refused',
        exitCodes.rejected,
        'Everything here stays. Run `stoa link <server>` again for a new key.',
      );
    case 'not_stoa':
      return reported(
        'not_stoa',
        exitCodes.unreachable,
        'Check the address: `stoa link` with the one the app has.',
      );
    case 'refused':
      return reported('failed', exitCodes.failed, 'Run it again with --verbose to see where it came from.');
  }
}

/** Failure for an error response. The message is the server's own. */
function failureOfError(error: StoaApiError): Failure {
  const message = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  const reported = (facts: { code: string; exit?: Failure['exit']; next: string }) =>
    new Failure({ message, cause: error, ...facts });
  const { status } = error;
  if (status === 401) {
    return reported({
      code: error.code ?? 'unauthorized',
      exit: exitCodes.rejected,
      next: 'Run `stoa link <server>` again for a new key; with STOA_KEY, set one that holds.',
    });
  }
  if (status === 403) {
    return reported({
      code: error.code ?? 'not_allowed',
      exit: exitCodes.rejected,
      next: 'The key does not reach this. Run `stoa link <server>` again, or ask an owner of the workspace.',
    });
  }
  if (status === 404 && /^workspace not found/i.test(error.message)) {
    return reported({
      code: 'workspace_not_found',
      exit: exitCodes.rejected,
      next: 'It was deleted, or the key belongs to another: run `stoa link <server>` again.',
    });
  }
  if (status === 404) {
    const isVersion = /^version not found/i.test(error.message);
    const next = isVersion ? '`stoa history <path>` lists them.' : '`stoa ls` lists the files.';
    return reported({ code: error.code ?? 'not_found', next });
  }
  if (status === 402) {
    return reported({
      code: error.code ?? 'read_only',
      next: 'Reading still works; an owner can change the plan.',
    });
  }
  if (status >= 300 && status < 400) {
    return reported({
      code: 'redirect',
      exit: exitCodes.unreachable,
      next: 'A key is not taken along: run `stoa link` with the address that it leads to.',
    });
  }
  if (status === 408 || status === 429 || (status >= 500 && status !== 507)) {
    const wait = error.retryAfterSeconds;
    return reported({
      code: error.code ?? 'unavailable',
      exit: exitCodes.unreachable,
      next: wait === null ? 'Try again in a while.' : `Try again in ${wait} s.`,
    });
  }
  if (status < 300)
    return reported({ code: 'not_stoa', exit: exitCodes.unreachable, next: 'Check the address.' });
  return reported({ code: error.code ?? `status_${status}`, next: nextAfter(status) });
}

/** The next step after an error of the request itself. */
function nextAfter(status: number): string {
  switch (status) {
    case 409:
      return 'Choose another path; `stoa ls` lists the files.';
    case 412:
      return 'Check it with `stoa history <path>`, then run the command again.';
    case 413:
      return 'Send it in smaller parts, or ask the operator of the server for a higher limit.';
    default:
      return 'Run it again with --verbose to see where it came from.';
  }
}

/** The reason given by the network: `ECONNREFUSED`, an unknown name, an untrusted certificate. */
function reasonOf(cause: unknown): string {
  for (let depth = 0, at = cause; depth < 5 && at instanceof Error; depth += 1, at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z_0-9]+$/.test(at.code)) {
      return ` (${messages[at.code] ?? at.code})`;
    }
  }
  return '';
}

const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'the name cannot be looked up now',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
  ETIMEDOUT: 'no answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted; NODE_EXTRA_CA_CERTS can name one',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; NODE_EXTRA_CA_CERTS can name one',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted; NODE_EXTRA_CA_CERTS can name one',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};
