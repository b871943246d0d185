// docs/speed.md
import type { Prefetch } from '../../service/ports/metadata-store.ts';
import type { Reader } from '../../service/ports/reader.ts';

/**
 * Maximum number of keys whose user is cached; the oldest entry is removed first, and its key then needs an extra
 * query.
 */
const knownKeysMax = 10_000;

/**
 * Prefetches the queries that a request with a key will make (the key, its user's role in the workspace, and the file),
 * so that it waits for the database once. Each result is read after the request began, and is used for one query. Only
 * the owner of a key is cached, which never changes: so a revoked key or a removed member is rejected at the next
 * request, as without prefetching.
 */
export type Prefetchers = (reads: Prefetch) => Reader;

/** @param askTogether runs `ask` on one session, and again on another if the first was lost. */
export function createPrefetchers(
  reader: Reader,
  askTogether: <Result>(ask: (reader: Reader) => Promise<Result>) => Promise<Result>,
): Prefetchers {
  const userIds = new Map<string, string>();

  /** Also removes the entry of a key that ended: nothing is prefetched for it. */
  const note = (secretHash: string, found: Awaited<ReturnType<Reader['keys']['findByHash']>>) => {
    userIds.delete(secretHash);
    if (found === null || found.key.disabled || found.key.deletedAt !== null) return found;
    userIds.set(secretHash, found.key.userId);
    for (const oldest of userIds.keys()) {
      if (userIds.size <= knownKeysMax) break;
      userIds.delete(oldest);
    }
    return found;
  };

  return ({ secretHash, workspaceId, openedPath }) => {
    const userId = userIds.get(secretHash);
    if (userId === undefined) {
      const findByHash = async (hash: string) => note(hash, await reader.keys.findByHash(hash));
      return { ...reader, keys: { ...reader.keys, findByHash } };
    }
    const asked = askTogether(async (session) => {
      const responses = [
        session.keys.findByHash(secretHash),
        session.workspaces.findWithRole(workspaceId, userId),
        openedPath === null ? null : session.files.findWithContent(workspaceId, openedPath),
      ] as const;
      // The session is released only when no query is running on it.
      await Promise.allSettled(responses);
      return await Promise.all(responses);
    });
    // Each caller that awaits it gets the error.
    asked.catch(() => undefined);
    const unused = new Set(['key', 'role', 'file']);
    return {
      ...reader,
      keys: {
        ...reader.keys,
        async findByHash(hash) {
          if (hash !== secretHash || !unused.delete('key')) return reader.keys.findByHash(hash);
          const [found] = await asked;
          return note(hash, found);
        },
      },
      workspaces: {
        ...reader.workspaces,
        async findWithRole(inWorkspace, ofUser) {
          const isPrefetched = inWorkspace === workspaceId && ofUser === userId;
          if (!isPrefetched || !unused.delete('role')) {
            return reader.workspaces.findWithRole(inWorkspace, ofUser);
          }
          const [, found] = await asked;
          return found;
        },
      },
      files: {
        ...reader.files,
        async findWithContent(inWorkspace, path) {
          const isPrefetched = inWorkspace === workspaceId && path === openedPath;
          const found = isPrefetched && unused.delete('file') ? (await asked)[2] : null;
          return found ?? reader.files.findWithContent(inWorkspace, path);
        },
      },
    };
  };
}
