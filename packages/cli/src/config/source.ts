// Key and address come from one source: a foreign folder must not receive the environment's key, or the reverse.

import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import type { Host } from '../output/host.ts';
import { ApiKey, isSendableKey } from './api-key.ts';
import { requireLinkedFolder } from './find-folder.ts';
import { type FolderConfig, readFolderConfig } from './folder-config.ts';
import { isSafeAddress, parseServerAddress } from './server-address.ts';

/** Source of a key together with the address that it may be sent to. */
export type Source =
  | {
      readonly kind: 'folder';
      readonly folder: string;
      readonly config: FolderConfig;
      readonly apiBase: string;
      readonly apiKey: ApiKey;
      readonly workspaceId: string;
    }
  | {
      readonly kind: 'environment';
      readonly apiBase: string;
      readonly apiKey: ApiKey /** Null: the workspace of a scoped key. */;
      readonly workspaceId: string | null;
    };

/**
 * The source for commands that need no folder: the named folder, else the environment, else the current folder. @throws
 * Failure with exit 3
 */
export async function readSource(
  { env, cwd }: Pick<Host, 'env' | 'cwd'>,
  named: string | undefined,
): Promise<Source> {
  if (named === undefined && (env.STOA_URL || env.STOA_KEY)) return environmentSource(env);
  return readFolderSource(cwd, named);
}

/** The source for commands that need a folder. @throws Failure with exit 3 */
export async function readFolderSource(
  cwd: string,
  named: string | undefined,
): Promise<Source & { readonly kind: 'folder' }> {
  const folder = await requireLinkedFolder(cwd, named);
  const config = await readFolderConfig(folder);
  const { apiBase, apiKey, workspaceId } = config;
  return { kind: 'folder', folder, config, apiBase, apiKey, workspaceId };
}

function environmentSource({
  STOA_URL: url,
  STOA_KEY: key,
  STOA_WORKSPACE: workspaceId,
  STOA_ALLOW_HTTP: allowHttp,
}: Host['env']): Source {
  if (!url) {
    throw unusable(
      'STOA_KEY is set without STOA_URL: a key is sent only to the address that it came with.',
      'Set STOA_URL to the address of the server that made the key.',
    );
  }
  if (!key)
    throw unusable(
      'STOA_URL is set without STOA_KEY.',
      'Set STOA_KEY to a key of that server, or unset STOA_URL.',
    );
  if (!isSendableKey(key))
    throw unusable(
      'STOA_KEY holds characters that no key has.',
      'Set it to the key alone, without spaces or quotes.',
    );
  const apiBase = parseServerAddress(url, { allowHttp: true });
  if (!isSafeAddress(new URL(apiBase), allowHttp === 'true')) {
    throw unusable(
      `STOA_URL is plain http (${apiBase}): everybody on the way could read the key.`,
      'Use https, or set STOA_ALLOW_HTTP=true if you trust that network.',
    );
  }
  return { kind: 'environment', apiBase, apiKey: new ApiKey(key), workspaceId: workspaceId || null };
}

function unusable(message: string, next: string): Failure {
  return new Failure({ code: 'environment_unusable', exit: exitCodes.noFolder, message, next });
}
