import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import type { NetworkFault } from '../simulated/simulated-remote.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

export const bytesOf = (text: string) => new TextEncoder().encode(text);
export const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
export const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };

/** Starts a synced folder with one file. The test chooses the outcome of each later request. */
export async function startFolder(path: string, text: string) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  let fateOf = (_request: string): NetworkFault => 'none';
  let onStep = (_name: string): void => {};
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: (request) => fateOf(request),
    trace: () => {},
    onStep: (name) => onStep(name),
  });
  const { disk } = client;
  disk.makeFolders(path.split('/').slice(0, -1).join('/'));
  disk.writeFile(path, bytesOf(text));
  client.start();
  await client.untilQuiet();
  return {
    client,
    disk,
    server,
    /** Advances simulated time. */
    pass: (ms: number) => time.run(ms),
    there: () =>
      Object.fromEntries(
        [...server.filesFor(own.userId)].map(([at, { bytes }]) => [at, new TextDecoder().decode(bytes)]),
      ),
    here: () =>
      Object.fromEntries(
        [...disk.walk()].flatMap(({ path: at, node }) =>
          node.kind === 'file' && !at.startsWith('.stoa/')
            ? [[at, new TextDecoder().decode(node.inode.bytes)]]
            : [],
        ),
      ),
    /** Performs the next request of that name but loses its response. */
    loseAnswer(request: string, concurrently: () => void = () => {}) {
      fateOf = (each) => {
        if (each !== request) return 'none';
        fateOf = () => 'none';
        concurrently();
        return 'answer_lost';
      };
    },
    /** @param request name of the request; null means the next one. */
    before(request: string | null, act: () => void) {
      fateOf = (each) => {
        if (request !== null && each !== request) return 'none';
        fateOf = () => 'none';
        act();
        return 'none';
      };
    },
    at(step: string, act: () => void) {
      onStep = (name) => {
        if (name !== step) return;
        onStep = () => {};
        act();
      };
    },
  };
}

export type StartedFolder = Awaited<ReturnType<typeof startFolder>>;
