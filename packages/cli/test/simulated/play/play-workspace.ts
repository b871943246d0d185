import { createHash } from 'node:crypto';
import { seededRandom } from '../../../../../tests/support/random.ts';
import { createSimulatedClient, type SimulatedClient } from '../simulated-client.ts';
import { createSimulatedTime } from '../simulated-pace.ts';
import type { NetworkFault } from '../simulated-remote.ts';
import { type SimulatedKey, SimulatedServer } from '../simulated-server.ts';
import { agentActs, agentRestores } from './agent-acts.ts';
import { createFaults } from './faults.ts';
import { copies, createOracle, differences } from './oracle.ts';
import { likeNames, plainNames, type Stage } from './stage.ts';
import { userActs, userActsRarely } from './user-acts.ts';

export interface Play {
  readonly seed: number;
  readonly clients: number;
  /** Number of changes by users and the agent. */
  readonly steps: number;
  /** Requests fail, processes are killed, and clocks jump. */
  readonly hasFaults: boolean;
  /** An agent without a folder also works in the workspace. */
  readonly hasAgent: boolean;
  readonly losesPower?: boolean;
  readonly watches?: boolean;
  /** The server is restored from a backup now and then. */
  readonly goesBack?: boolean;
  /** Whether clocks jump by a year. Default: `hasFaults`. */
  readonly clocksJump?: boolean;
  /** Whether pages of the feed end early. Default: `hasFaults`. */
  readonly cutsPages?: boolean;
  /**
   * Adds rare user actions, private items, temporary limits and disk errors, and lost events.
   */
  readonly hasDisruptions?: boolean;
  /** The first folder is on a disk that folds case and changes the Unicode form of names. */
  readonly folds?: boolean;
  /** That folder also ignores one form of a file name and of a folder name. Ignored items occupy the other form. */
  readonly ignores?: boolean;
}

export interface Played {
  /** Readable faults at the end; empty if the run is correct. */
  readonly faults: readonly string[];
  readonly trace: readonly string[];
  /** Hash of the trace. It depends only on the seed and the options. */
  readonly hash: string;
}

const foldingNames = { foldsCase: true, unicodeForm: 'changed', forbids: 'nothing' } as const;
const ignoredNames = 'One.md\nDocs/\n';
const quietMsMax = 20 * 60_000;
const networkFaults: readonly NetworkFault[] = ['lost', 'answer_lost', 'busy', 'cut'];
const moreNetworkFaults: readonly NetworkFault[] = [...networkFaults, 'broken', 'slow_down'];

/** Simulates users, an agent, a network and crashes, waits until the clients are quiet, and checks the outcome. */
export async function playWorkspace(play: Play): Promise<Played> {
  const { seed, steps, hasFaults, hasAgent, hasDisruptions = false, clocksJump = hasFaults } = play;
  const { cutsPages = hasFaults } = play;
  const time = createSimulatedTime(seed);
  const { random } = time;
  const trace: string[] = [];
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  let areFaultsOn = hasFaults;
  const fault = (): NetworkFault => {
    if (!areFaultsOn || random.below(12) > 0) return 'none';
    return random.pick(hasDisruptions ? moreNetworkFaults : networkFaults);
  };
  // A separate random source, so that runs without cut pages stay the same.
  const cuts = seededRandom(seed);
  const pageMax = () => (cutsPages && areFaultsOn && cuts.below(4) === 0 ? 1 + cuts.below(3) : null);
  const keyOf = (name: string): SimulatedKey => ({
    userId: `user-${name}`,
    keyId: `key-${name}`,
    keyName: name,
  });
  const clients: readonly SimulatedClient[] = Array.from({ length: play.clients }, (_, index) =>
    createSimulatedClient({
      time,
      server,
      key: keyOf(`c${index + 1}`),
      fault,
      pageMax,
      trace: (line) => {
        trace.push(line);
        // A user reviews the pending changes and confirms them.
        if (line.includes('"event":"held"')) clients[index]?.confirm();
      },
      watches: play.watches === true,
      ...(play.folds === true && index === 0 ? { disk: { names: foldingNames } } : {}),
      event: () =>
        hasDisruptions && areFaultsOn && random.below(4) === 0
          ? random.pick(['lost', 'twice', 'late'])
          : 'told',
    }),
  );
  const agent = keyOf('agent');
  server.addMember(agent.userId);
  const oracle = createOracle();
  let written = 0;
  const newContent = () => {
    written += 1;
    return new TextEncoder().encode(`content ${written}\n`.repeat(1 + random.below(3)));
  };
  const stage: Stage = {
    random,
    now: time.now,
    server,
    oracle,
    newContent,
    say: (line) => trace.push(line),
    names: play.folds === true ? likeNames : plainNames,
  };
  if (play.ignores === true)
    clients[0]?.disk.writeFile('.stoa/ignore', new TextEncoder().encode(ignoredNames));
  const disruptions = createFaults(stage, clients, hasAgent ? [agent] : []);
  for (const client of clients) client.start();

  const backups: (() => void)[] = [];
  for (let step = 0; step < steps; step += 1) {
    // Often stops in the middle of a client's pass.
    await time.run(random.below(random.pick([60, 400, 6000])));
    if (hasDisruptions && random.below(5) === 0) {
      disruptions.happen();
      continue;
    }
    if (hasAgent && random.below(4) === 0) {
      if (hasDisruptions && random.below(6) === 0) agentRestores(stage, agent);
      else agentActs(stage, agent);
      continue;
    }
    if (play.goesBack === true && random.below(15) === 0) {
      const restore = server.snapshot();
      backups.push(restore);
      if (random.below(2) === 0) continue;
      trace.push(`${time.now()} the server goes back in time`);
      random.pick(backups)();
      backups.length = 0;
      oracle.forgetUnkept(clients, server);
      continue;
    }
    const client = random.pick(clients);
    if (hasFaults && random.below(12) === 0) {
      const kind = play.losesPower === true && random.below(3) === 0 ? 'power' : 'process';
      trace.push(`${time.now()} ${client.key.keyName} crash ${kind}`);
      if (kind === 'power') oracle.forgetUnflushed(client);
      client.crash(kind);
      client.start();
      continue;
    }
    if (clocksJump && random.below(20) === 0) client.jumpClock((random.below(3) - 1) * 365 * 86_400_000);
    const acts = hasDisruptions && random.below(3) === 0 ? userActsRarely : userActs;
    disruptions.unhindered(client, () => acts(stage, client));
  }
  areFaultsOn = false;
  if (hasDisruptions) disruptions.end();
  const isQuiet = () => clients.every((client) => client.quietPasses() >= 3 || client.failure() !== null);
  for (const client of clients) {
    client.crash('process');
    // A failed pass may have used up an earlier confirmation.
    client.confirm();
    client.start();
  }
  const cameToRest = await time.run(quietMsMax, isQuiet);
  const faults = [
    ...(cameToRest ? [] : ['the clients are not quiet at the timeout']),
    ...clients.flatMap((client) => {
      const failure = client.failure();
      return failure === null ? [] : [`${client.key.keyName} failed: ${describe(failure)}`];
    }),
    ...(await Promise.all(clients.map((client) => differences(client, server)))).flat(),
    ...oracle.lost(clients, server),
    ...(play.clients === 1 && !hasAgent ? copies(server) : []),
    // After a restore, each client may store a copy with the same bytes.
    ...(play.goesBack === true ? [] : oracle.equalCopies(server)),
  ];
  for (const client of clients) client.crash('process');
  return { faults, trace, hash: createHash('sha256').update(trace.join('\n')).digest('hex') };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
