import { AssertionError } from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Random } from '../support/random.ts';
import { type HttpResponse, integerAt, jsonOf, textAt } from '../support/response.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import type { Attempt } from './attempt.ts';

/** Sizes on both sides of the limit for bytes in the database. */
const sizes = [100, 4000, 65_535, 65_536, 65_537, 150_000] as const;
export const textMaxBytes = 4000;
const sharedPaths = 4;
const roundsMax = 100_000;

/** A file of only one writer. A path is never reused after its file is gone. */
interface OwnFile {
  readonly path: string;
  readonly hashes: readonly string[];
}

/**
 * Writes, deletes, moves and restores in the workspaces, one request at a time, until one fails or `stop` is true.
 * Half of the writes go to files that all writers share, often with a stale version.
 * @param options.hasFaults whether the service may return a failure, after which the change may be made or not.
 * @param options.isRejection whether an unexpected response says that nothing was changed. The writer continues after it.
 * @returns the attempts, by workspace. Calls `acknowledged` for each response.
 */
export async function writeUntilDeath(
  writer: number,
  workspaces: readonly WorkspaceClient[],
  random: Random,
  acknowledged: () => void,
  stop: () => boolean,
  options: { readonly hasFaults?: boolean; readonly isRejection?: (response: HttpResponse) => boolean } = {},
): Promise<ReadonlyMap<string, readonly Attempt[]>> {
  const attempts = new Map(workspaces.map(({ id }) => [id, [] as Attempt[]]));
  const own = new Map(workspaces.map(({ id }) => [id, [] as OwnFile[]]));
  const known = new Map<string, number>();
  let names = 0;
  const latest: { attempt: Attempt | null } = { attempt: null };

  const forgetLatest = () => {
    for (const ofOne of attempts.values()) if (ofOne.at(-1) === latest.attempt) ofOne.pop();
  };

  const round = async (workspace: WorkspaceClient): Promise<void> => {
    const note = <A extends Attempt>(attempt: A): A => {
      attempts.get(workspace.id)?.push(attempt);
      latest.attempt = attempt;
      return attempt;
    };
    const files = own.get(workspace.id) ?? [];
    const choice = random.below(10);
    if (choice < 4) {
      const path = `shared/${random.below(sharedPaths)}.bin`;
      const key = `${workspace.id} ${path}`;
      const body = uniqueBytes(random.pick(sizes));
      const attempt = note(writeOf(path, body));
      const version = known.get(key);
      const response = await workspace.put(
        path,
        body,
        version === undefined ? { ifNoneMatch: '*' } : { ifMatch: version },
      );
      attempt.reported = reportedOf(response);
      known.set(key, integerAt(jsonOf(response), response.status === 412 ? 'current_version' : 'version'));
      return;
    }
    const file =
      files.length === 0 || choice < 6 ? undefined : files.splice(random.below(files.length), 1)[0];
    if (file === undefined) {
      names += 1;
      const path = `own/${writer}/${names}.bin`;
      const body = uniqueBytes(random.pick(sizes));
      const attempt = note(writeOf(path, body));
      attempt.reported = reportedOf(await workspace.put(path, body));
      files.push({ path, hashes: [attempt.hash] });
      return;
    }
    const version = file.hashes.length;
    if (choice === 6) {
      const attempt = note({ kind: 'delete', path: file.path, version, reported: null as 'done' | null });
      expectStatus(await workspace.remove(file.path, version), 204);
      attempt.reported = 'done';
    } else if (choice === 7) {
      names += 1;
      const to = `moved/${writer}/${names}.bin`;
      const attempt = note({ kind: 'move', from: file.path, to, reported: null as 'done' | null });
      expectStatus(await workspace.post('move', { from: file.path, to, baseVersion: version }), 200);
      attempt.reported = 'done';
      files.push({ path: to, hashes: file.hashes.slice(-1) });
    } else if (choice === 8) {
      const hash = file.hashes[0] ?? '';
      const attempt = note({
        kind: 'restore',
        path: file.path,
        hash,
        reported: null as { version: number } | null,
      });
      const response = await workspace.post('restore', { path: file.path, targetVersion: 1 });
      expectStatus(response, 200);
      attempt.reported = { version: integerAt(jsonOf(response), 'version') };
      files.push({ path: file.path, hashes: [...file.hashes, hash] });
    } else {
      const body = uniqueBytes(random.pick(sizes));
      const attempt = note(writeOf(file.path, body));
      attempt.reported = reportedOf(await workspace.put(file.path, body, { ifMatch: version }));
      files.push({ path: file.path, hashes: [...file.hashes, attempt.hash] });
    }
  };

  for (let rounds = 0; rounds < roundsMax && !stop(); rounds += 1) {
    try {
      await round(random.pick(workspaces));
      if (latest.attempt !== null) latest.attempt.reportedAt = Date.now() + 1;
    } catch (error) {
      if (error instanceof UnexpectedResponse && options.isRejection?.(error.response)) {
        forgetLatest();
        continue;
      }
      if (options.hasFaults && error instanceof UnexpectedResponse && error.response.status >= 500) continue;
      if (error instanceof UnexpectedResponse || error instanceof AssertionError) throw error;
      // The connection broke: the service is gone, and the last attempt has no response.
      break;
    }
    acknowledged();
  }
  return attempts;
}

class UnexpectedResponse extends Error {
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super(`${response.status} ${response.bytes.toString()}`);
    this.response = response;
  }
}

function expectStatus(response: HttpResponse, status: number): void {
  if (response.status !== status) throw new UnexpectedResponse(response);
}

function writeOf(path: string, body: Buffer): Extract<Attempt, { kind: 'write' }> {
  const hash = createHash('sha256').update(body).digest('hex');
  return { kind: 'write', path, hash, size: body.length, reported: null };
}

function reportedOf(response: HttpResponse): Extract<Attempt, { kind: 'write' }>['reported'] {
  switch (response.status) {
    case 200:
    case 201:
      return { kind: 'version', version: integerAt(jsonOf(response), 'version') };
    case 412:
      return { kind: 'copy', path: textAt(jsonOf(response), 'conflict_copy_path') };
    default:
      throw new UnexpectedResponse(response);
  }
}

/** Small contents are texts, so that a search finds them by their first line. */
function uniqueBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size, 0x61);
  if (size <= textMaxBytes) bytes.write(`${randomBytes(16).toString('hex')}\n`);
  else randomBytes(32).copy(bytes);
  return bytes;
}
