import { createStoaClient, StoaApiError, StoaConnectionError } from '@stoa/client';
import type { ApiKey } from '../config/api-key.ts';
import { namedSend } from '../config/connect.ts';
import { baseOf, isSafeAddress } from '../config/server-address.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import type { Host } from '../output/host.ts';
import { shownText } from '../output/shown-text.ts';

/** Restrictions of a key, as reported by its server. */
type Narrowness = Awaited<ReturnType<ReturnType<typeof createStoaClient>['workspace']>>['key'];

/** Address at which a key works, and the workspace that it opens. */
export interface Opened {
  readonly apiBase: string;
  readonly workspaceName: string;
  /** The address that the server gives itself, if the key does not work there. */
  readonly unusedBase: string | null;
}

/**
 * Chooses the address to store: the one that the server gives itself if the key opens the workspace there, else the
 * typed one. Never one that is less safe than the typed one.
 * @throws Failure `wrong_address` if the key works at none of them
 */
export async function chooseAddress(
  host: Host,
  options: { readonly typed: string; readonly said: string; readonly allowHttp: boolean },
  key: { readonly apiKey: ApiKey; readonly workspaceId: string },
): Promise<Opened> {
  const said = usableBase(options);
  const tries = said === null || said === options.typed ? [options.typed] : [said, options.typed];
  let last: unknown = null;
  for (const apiBase of tries) {
    try {
      const workspaceName = await readName(host, apiBase, key);
      if (workspaceName === null) continue;
      return { apiBase, workspaceName, unusedBase: apiBase === (said ?? options.said) ? null : options.said };
    } catch (error) {
      if (!(error instanceof StoaApiError || error instanceof StoaConnectionError)) throw error;
      last = error;
    }
  }
  throw new Failure({
    code: 'wrong_address',
    exit: exitCodes.unreachable,
    message: `The new key does not work at ${tries.join(' or ')}.`,
    next: "Ask the server's operator to set STOA_BASE_URL to its public address. Revoke the key in the app.",
    cause: last,
  });
}

function usableBase({
  typed,
  said,
  allowHttp,
}: {
  readonly typed: string;
  readonly said: string;
  readonly allowHttp: boolean;
}): string | null {
  const url = URL.canParse(said) ? new URL(said) : null;
  if (url === null || !isSafeAddress(url, allowHttp)) return null;
  const isDowngrade = url.protocol === 'http:' && new URL(typed).protocol === 'https:';
  return isDowngrade ? null : baseOf(url);
}

/** The name of the workspace that the key opens there; null if it opens another workspace. */
async function readName(
  host: Host,
  apiBase: string,
  { apiKey, workspaceId }: { readonly apiKey: ApiKey; readonly workspaceId: string },
): Promise<string | null> {
  const client = createStoaClient({ baseUrl: apiBase, apiKey: apiKey.reveal(), fetch: namedSend(host) });
  const workspace = await client.workspace({ signal: host.signal });
  if (workspace.id !== workspaceId) return null;
  rejectNarrowKey(workspace.key);
  return workspace.name;
}

/**
 * Rejects a restricted key. Sync works in both directions on the whole folder. With a key that cannot write, or sees
 * only a part of the files, the two sides would diverge silently.
 */
export function rejectNarrowKey(key: Narrowness): void {
  if (key?.access === undefined && key?.path === undefined) return;
  const limit =
    key.access === undefined
      ? `is for ${shownText(key.path ?? '')} alone`
      : key.access === 'comment'
        ? 'may read and comment, but not change anything else'
        : 'may read, but not change anything';
  throw new Failure({
    code: 'narrow_key',
    exit: exitCodes.rejected,
    message: `This key ${limit}. A linked folder sends and fetches all files of its workspace.`,
    next: 'Revoke the key in the app, and link again with one that may read and change everything.',
  });
}
