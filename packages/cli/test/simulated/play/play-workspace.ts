import { createHash } from 'node:crypto';
import { seededRandom } from '../../../../../tests/support/random.ts';
import { createSimulatedClient, type SimulatedClient } from '../simulated-client.ts';
import { createSimulatedTime } from '../simulated-pace.ts';
import type { NetworkFault } from '../simulated-remote.ts';
import { type SimulatedKey, SimulatedServer } from '../simulated-server.ts';
import { agentActs, agentRestores } from './agent-acts.ts';
import { copies, createOracle, differences } from './oracle.ts';
import { likeNames, plainNames, type Stage } from './stage.ts';
import { createUpsets } from './upsets.ts';
import { userActs, userActsRarely } from './user-acts.ts';

export interface Play {
  readonly seed: number;
  readonly clients: number;
  /** Users and an agent change things this many times. */
  readonly steps: number;
  /** Requests fail, processes are killed, and clocks jump. */
  readonly hasFaults: boolean;
  /** Somebody without a folder works in the workspace, too. */
  readonly hasAgent: boolean;
  readonly losesPower?: boolean;
  readonly watches?: boolean;
  /** The server is restored from a backup now and then. */
  readonly goesBack?: boolean;
  /** Left out: where there are faults, clocks jump by a year as well. */
  readonly clocksJump?: boolean;
  /** Left out: where there are faults, pages of the feed end early as well. */
  readonly cutsPages?: boolean;
  /**
   * People do what is rare, too; things are made private and shared again, limits and disks are in the way for a while, and
   * events are lost.
   */
  readonly hasUpsets?: boolean;
  /** The first folder is on a disk that takes both cases of a name for one, and spells it in a form of its own. */
  readonly folds?: boolean;
  /** That folder has rules of its own: one spelling of a file and of a folder is ignored there, and is in the way of the other. */
  readonly ignores?: boolean;
}

export interface Played {
  /** What is wrong in the end, for people. Empty: nothing. */
  readonly faults: readonly string[];
  readonly trace: readonly string[];
  /** Of the trace: the same seed gives the same. */
  readonly hash: string;
}

const foldingNames = { foldsCase: true, unicodeForm: 'changed', forbids: 'nothing' } as const;
const ignoredNames = 'One.md\nDocs/\n';
const quietMsMax = 20 * 60_000;
const networkFaults: readonly NetworkFault[] = ['lost', 'answer_lost', 'busy', 'cut'];
const moreNetworkFaults: readonly NetworkFault[] = [...networkFaults, 'broken', 'slow_down'];

/** Plays users, an agent, a network and crashes, then lets everything settle, and looks at what is left. */
export async function playWorkspace(play: Play): Promise<Played> {
  const { seed, steps, hasFaults, hasAgent, hasUpsets = false, clocksJump = hasFaults } = play;
  const { cutsPages = hasFaults } = play;
  const time = createSimulatedTime(seed);
  const { random } = time;
  const trace: string[] = [];
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  let areFaultsOn = hasFaults;
  const fault = (): NetworkFault => {
    if (!areFaultsOn || random.below(12) > 0) return 'none';
    return random.pick(hasUpsets ? moreNetworkFaults : networkFaults);
  };
  // Of a chance of its own: what is not cut is played as before.
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
        // Somebody who reads what is held lets it through.
        if (line.includes('"event":"held"')) clients[index]?.confirm();
      },
      watches: play.watches === true,
      ...(play.folds === true && index === 0 ? { disk: { names: foldingNames } } : {}),
      event: () =>
        hasUpsets && areFaultsOn && random.below(4) === 0 ? random.pick(['lost', 'twice', 'late']) : 'told',
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
  const upsets = createUpsets(stage, clients, hasAgent ? [agent] : []);
  for (const client of clients) client.start();

  const backups: (() => void)[] = [];
  for (let step = 0; step < steps; step += 1) {
    // Often in the middle of what a client does just now.
    await time.run(random.below(random.pick([60, 400, 6000])));
    if (hasUpsets && random.below(5) === 0) {
      upsets.happen();
      continue;
    }
    if (hasAgent && random.below(4) === 0) {
      if (hasUpsets && random.below(6) === 0) agentRestores(stage, agent);
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
    const acts = hasUpsets && random.below(3) === 0 ? userActsRarely : userActs;
    upsets.unhindered(client, () => acts(stage, client));
  }
  areFaultsOn = false;
  if (hasUpsets) upsets.end();
  const isQuiet = () => clients.every((client) => client.quietPasses() >= 3 || client.failure() !== null);
  for (const client of clients) {
    client.crash('process');
    // A request that failed may have taken an earlier word for it along.
    client.confirm();
    client.start();
  }
  const cameToRest = await time.run(quietMsMax, isQuiet);
  const faults = [
    ...(cameToRest ? [] : ['it does not come to rest']),
    ...clients.flatMap((client) => {
      const failure = client.failure();
      return failure === null ? [] : [`${client.key.keyName} failed: ${describe(failure)}`];
    }),
    ...(await Promise.all(clients.map((client) => differences(client, server)))).flat(),
    ...oracle.lost(clients, server),
    ...(play.clients === 1 && !hasAgent ? copies(server) : []),
    // After a restore each client may put the same bytes beside the older ones.
    ...(play.goesBack === true ? [] : oracle.equalCopies(server)),
  ];
  for (const client of clients) client.crash('process');
  return { faults, trace, hash: createHash('sha256').update(trace.join('\n')).digest('hex') };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
