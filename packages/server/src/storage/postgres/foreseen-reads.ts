// docs/decisions/0075-first-reads-are-asked-together.md
import type { ForeseenReads } from '../../service/ports/metadata-store.ts';
import type { Reader } from '../../service/ports/reader.ts';

/** Keys whose person is remembered; of more, the one that was presented first is asked for by itself again. */
const knownKeysMax = 10_000;

/**
 * Asks at once what a request with a key will ask one after the other, so that it waits for the database once: for the key,
 * for its person's role in the workspace, and for the file. Each answer is the database's own and read after the request
 * began, and is used for the one question that it answers. All that is remembered is whose a key is, which never changes:
 * so a revoked key or a removed member is refused at the next request, as without it.
 */
export type ForeseenReaders = (reads: ForeseenReads) => Reader;

/** @param askTogether runs `ask` over one session, and again over another one where the first was lost. */
export function createForeseenReaders(
  reader: Reader,
  askTogether: <Result>(ask: (reader: Reader) => Promise<Result>) => Promise<Result>,
): ForeseenReaders {
  const userIds = new Map<string, string>();

  /** Also forgets: nothing is asked ahead for a key that ended. */
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
      const answers = [
        session.keys.findByHash(secretHash),
        session.workspaces.findWithRole(workspaceId, userId),
        openedPath === null ? null : session.files.findWithContent(workspaceId, openedPath),
      ] as const;
      // The session is given back only when nothing is under way on it.
      await Promise.allSettled(answers);
      return await Promise.all(answers);
    });
    // Told to each who asks.
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
          const isForeseen = inWorkspace === workspaceId && ofUser === userId;
          if (!isForeseen || !unused.delete('role')) {
            return reader.workspaces.findWithRole(inWorkspace, ofUser);
          }
          const [, found] = await asked;
          return found;
        },
      },
      files: {
        ...reader.files,
        async findWithContent(inWorkspace, path) {
          const isForeseen = inWorkspace === workspaceId && path === openedPath;
          const found = isForeseen && unused.delete('file') ? (await asked)[2] : null;
          return found ?? reader.files.findWithContent(inWorkspace, path);
        },
      },
    };
  };
}
