import type { HttpClient } from '../support/http-client.ts';
import { openHttpClient } from '../support/http-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import type { Attempt } from './attempt.ts';
import { writeUntilDeath } from './write-until-death.ts';

const writers = 8;

/** Clients that write in two workspaces of a new user, one request at a time each, until `end`. */
export interface Load extends AsyncDisposable {
  readonly workspaces: readonly WorkspaceClient[];
  /** The credentials of a key for these workspaces. */
  readonly credentials: HttpClient['credentials'];
  /** Creates one more workspace, in which none of these clients writes. */
  addWorkspace(): Promise<WorkspaceClient>;
  /** The number of acknowledged changes. */
  acknowledged(): number;
  /** Resolves with true once the condition is true, checked after each response; with false if all writers ended. */
  until(isSo: () => boolean): Promise<boolean>;
  /** Stops the clients. @returns the attempts, by workspace. */
  end(): Promise<ReadonlyMap<string, readonly Attempt[]>>;
}

export async function startLoad(
  url: string,
  random: Random,
  { isRejection = () => false, hasFaults = false }: Parameters<typeof writeUntilDeath>[5] = {},
): Promise<Load> {
  const client = openHttpClient(url);
  const person = await signUp(client);
  const key = await createKey(person);
  const addWorkspace = () => createWorkspace(person, key.client);
  const workspaces = [await addWorkspace(), await addWorkspace()];
  let [acknowledged, isOver] = [0, false];
  let onResponse = () => {};
  const options = {
    hasFaults,
    isRejection(response: Parameters<typeof isRejection>[0]) {
      const isOne = isRejection(response);
      onResponse();
      return isOne;
    },
  };
  const onAcknowledged = () => {
    acknowledged += 1;
    onResponse();
  };
  const writing = Promise.all(
    Array.from({ length: writers }, (_, writer) => {
      const own = seededRandom(random.below(2 ** 31));
      return writeUntilDeath(writer, workspaces, own, onAcknowledged, () => isOver, options);
    }),
  );
  const ended = writing.then(() => false);
  ended.catch(() => {});
  return {
    workspaces,
    credentials: key.client.credentials,
    addWorkspace,
    acknowledged: () => acknowledged,
    until(isSo) {
      const reached = new Promise<boolean>((resolve) => {
        onResponse = () => {
          if (isSo()) resolve(true);
        };
        onResponse();
      });
      return Promise.race([ended, reached]);
    },
    async end() {
      isOver = true;
      const ledgers = await writing;
      return new Map(workspaces.map(({ id }) => [id, ledgers.flatMap((ledger) => ledger.get(id) ?? [])]));
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await client.close();
    },
  };
}
