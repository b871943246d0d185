import { createHash } from 'node:crypto';
import {
  type ContentHash,
  parseConflictedCopyPath,
  parseWorkspacePath,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import { createSimulatedClient, type SimulatedClient } from './simulated-client.ts';
import { createSimulatedTime } from './simulated-pace.ts';
import type { NetworkFault } from './simulated-remote.ts';
import { type SimulatedKey, SimulatedServer } from './simulated-server.ts';

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
}

export interface Played {
  /** What is wrong in the end, for people. Empty: nothing. */
  readonly faults: readonly string[];
  readonly trace: readonly string[];
  /** Of the trace: the same seed gives the same. */
  readonly hash: string;
}

const folders = ['', 'docs/', 'docs/deep/', 'notes/', 'a/'];
const names = ['one.md', 'two.md', 'three.txt', 'four', 'five.md'];
const quietMsMax = 20 * 60_000;

/** Plays users, an agent, a network and crashes, then lets everything settle, and looks at what is left. */
export async function playWorkspace(play: Play): Promise<Played> {
  const { seed, steps, hasFaults, hasAgent } = play;
  const time = createSimulatedTime(seed);
  const { random } = time;
  const trace: string[] = [];
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  let areFaultsOn = hasFaults;
  const fault = (): NetworkFault => {
    if (!areFaultsOn || random.below(12) > 0) return 'none';
    return random.pick(['lost', 'answer_lost', 'busy', 'cut']);
  };
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
      trace: (line) => {
        trace.push(line);
        // Somebody who reads what is held lets it through.
        if (line.includes('"event":"held"')) clients[index]?.confirm();
      },
      watches: play.watches === true,
    }),
  );
  const agent = keyOf('agent');
  server.addMember(agent.userId);
  const oracle = createOracle();
  for (const client of clients) client.start();

  const backups: (() => void)[] = [];
  let written = 0;
  const newContent = () => {
    written += 1;
    return new TextEncoder().encode(`content ${written}\n`.repeat(1 + random.below(3)));
  };
  for (let step = 0; step < steps; step += 1) {
    // Often in the middle of what a client does just now.
    await time.run(random.below(random.pick([60, 400, 6000])));
    if (hasAgent && random.below(4) === 0) {
      agentActs(server, agent, newContent, oracle);
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
    // What only the trash has after a restore would grow too old for it by such a jump.
    const jumps = hasFaults && play.goesBack !== true;
    if (jumps && random.below(20) === 0) client.jumpClock((random.below(3) - 1) * 365 * 86_400_000);
    userActs(client, newContent, oracle);
  }
  areFaultsOn = false;
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
    ...clients.flatMap((client) => differences(client, server)),
    ...oracle.lost(clients, server),
    ...(play.clients === 1 && !hasAgent ? copies(server) : []),
    // After a restore each client may put the same bytes beside the older ones.
    ...(play.goesBack === true ? [] : equalCopies(server)),
  ];
  for (const client of clients) client.crash('process');
  return { faults, trace, hash: createHash('sha256').update(trace.join('\n')).digest('hex') };

  function userActs({ disk, key }: SimulatedClient, content: () => Uint8Array<ArrayBuffer>, watch: Oracle) {
    const files = [...disk.walk()].flatMap(({ path, node }) =>
      node.kind === 'file' && !path.startsWith('.stoa/') ? [path] : [],
    );
    const kept = [...disk.walk()].flatMap(({ path, node }) =>
      node.kind === 'folder' && path !== '.stoa' && !path.startsWith('.stoa/') ? [path] : [],
    );
    const newPath = () => random.pick(folders) + random.pick(names);
    const write = (path: string) => {
      const above = path.split('/').slice(0, -1).join('/');
      for (const folder of above === '' ? [] : [above]) {
        if (disk.find(folder) === null) disk.makeFolders(folder);
        if (disk.find(folder)?.kind !== 'folder') return;
      }
      if (disk.find(path)?.kind === 'folder') return;
      const bytes = content();
      watch.gone(disk.find(path));
      disk.writeFile(path, bytes);
      watch.stands(bytes);
    };
    const say = (what: string) => trace.push(`${time.now()} ${key.keyName} user ${what}`);
    const file = files.length === 0 ? null : random.pick(files);
    const folder = kept.length === 0 ? null : random.pick(kept);
    const act = random.below(10);
    if (file === null || act < 3) {
      const path = newPath();
      say(`writes ${path}`);
      return write(path);
    }
    if (act < 5) {
      say(`edits ${file}`);
      return write(file);
    }
    if (act === 5) {
      say(`deletes ${file}`);
      watch.gone(disk.find(file));
      return disk.unlink(file);
    }
    if (act === 6 || act === 7) {
      const to = newPath();
      const above = to.split('/').slice(0, -1).join('/');
      const isWayClear = above === '' || disk.find(above)?.kind === 'folder';
      if (!isWayClear || disk.find(to)?.kind === 'folder' || file === to) return;
      say(`renames ${file} to ${to}`);
      if (disk.find(to) !== disk.find(file)) watch.gone(disk.find(to));
      return disk.rename(file, to);
    }
    if (act === 8) {
      // As editors save: a new file over the old one.
      const temporary = `${file}.tmp~`;
      const bytes = content();
      say(`saves ${file}`);
      disk.writeFile(temporary, bytes);
      watch.gone(disk.find(file));
      watch.stands(bytes);
      return disk.rename(temporary, file);
    }
    if (folder !== null) {
      const to = `moved-${random.below(4)}`;
      if (disk.find(to) !== null || `${to}/`.startsWith(`${folder}/`)) return;
      say(`renames folder ${folder} to ${to}`);
      disk.rename(folder, to);
    }
  }

  function agentActs(
    on: SimulatedServer,
    key: SimulatedKey,
    content: () => Uint8Array<ArrayBuffer>,
    watch: Oracle,
  ) {
    const files = [...on.filesFor(key.userId)];
    const picked = files.length === 0 ? null : random.pick(files);
    const act = random.below(6);
    try {
      if (picked === null || act < 2) {
        const bytes = content();
        const path = parseWorkspacePath(random.pick(folders) + random.pick(names));
        const there = on.find(path, key.userId);
        const seen = { version: there?.version ?? 1, contentHash: there?.contentHash ?? null };
        trace.push(`${time.now()} agent writes ${path}`);
        on.write(key, path, bytes, { kind: 'version', ...seen }, null);
        watch.stands(bytes);
      } else if (act < 4) {
        const [path, { version, contentHash }] = picked;
        const bytes = content();
        trace.push(`${time.now()} agent edits ${path}`);
        on.write(key, path, bytes, { kind: 'version', version, contentHash }, null);
        watch.stands(bytes);
      } else if (act === 4) {
        const [path, seen] = picked;
        trace.push(`${time.now()} agent deletes ${path}`);
        on.delete(key, path, seen);
      } else {
        const [from] = picked;
        const to = parseWorkspacePath(random.pick(folders) + random.pick(names));
        trace.push(`${time.now()} agent moves ${from} to ${to}`);
        if (from !== to) on.move(key, from, to, null);
      }
    } catch (error) {
      // Not the stack: it names the caller, which is another one in the second of two equal runs.
      if (!(error instanceof WorkspaceError)) throw error;
      trace.push(`${time.now()} agent was refused: ${error.code}`);
    }
  }
}

type Oracle = ReturnType<typeof createOracle>;

/** Remembers every content that stands, until the one who has it in hand overwrites or deletes it. */
function createOracle() {
  const standing = new Map<string, string>();
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const kept = (clients: readonly SimulatedClient[], server: SimulatedServer) => {
    const found = new Set<string>(server.allContents());
    for (const { disk } of clients) {
      for (const { node } of disk.walk()) if (node.kind === 'file') found.add(hashOf(node.inode.bytes));
    }
    return found;
  };
  return {
    stands(bytes: Uint8Array) {
      standing.set(hashOf(bytes), new TextDecoder().decode(bytes).slice(0, 20));
    },
    /** What its user overwrites or deletes is that user's own doing. */
    gone(node: ReturnType<SimulatedClient['disk']['find']>) {
      if (node?.kind === 'file') standing.delete(hashOf(node.inode.bytes));
    },
    /** Before the power is lost. */
    forgetUnflushed({ disk }: SimulatedClient) {
      for (const { node } of disk.walk()) {
        if (node.kind === 'file' && node.inode.flushed !== node.inode.bytes) {
          standing.delete(hashOf(node.inode.bytes));
        }
      }
    },
    /** What only the server had, and has not any more. */
    forgetUnkept(clients: readonly SimulatedClient[], server: SimulatedServer) {
      const found = kept(clients, server);
      for (const hash of standing.keys()) if (!found.has(hash)) standing.delete(hash);
    },
    lost(clients: readonly SimulatedClient[], server: SimulatedServer): string[] {
      const found = kept(clients, server);
      return [...standing].flatMap(([hash, text]) =>
        found.has(hash) ? [] : [`lost: ${JSON.stringify(text)}`],
      );
    },
  };
}

const isPlaceholder = (path: string) => path === '.keep' || path.endsWith('/.keep');

function differences({ disk, key }: SimulatedClient, server: SimulatedServer): string[] {
  const here = new Map<string, string>();
  for (const { path, node } of disk.walk()) {
    if (node.kind !== 'file' || path.startsWith('.stoa/') || path.endsWith('~')) continue;
    here.set(path, createHash('sha256').update(node.inode.bytes).digest('hex'));
  }
  const there = new Map<string, ContentHash>();
  for (const [path, { contentHash }] of server.filesFor(key.userId)) there.set(path, contentHash);
  const paths = new Set([...here.keys(), ...there.keys()]);
  return [...paths].flatMap((path) => {
    if (isPlaceholder(path) || here.get(path) === there.get(path)) return [];
    const what = !here.has(path) ? 'is not here' : !there.has(path) ? 'is only here' : 'differs';
    return [`${key.keyName}: ${path} ${what}`];
  });
}

function copiesOn(server: SimulatedServer): WorkspacePath[] {
  return [...server.filesFor('user-c1').keys()].filter((path) => parseConflictedCopyPath(path) !== null);
}

function copies(server: SimulatedServer): string[] {
  return copiesOn(server).map((path) => `one writer alone got ${path}`);
}

function equalCopies(server: SimulatedServer): string[] {
  const files = server.filesFor('user-c1');
  const seen = new Map<string, string>();
  return copiesOn(server).flatMap((path) => {
    const key = `${parseConflictedCopyPath(path)?.original} ${files.get(path)?.contentHash}`;
    const other = seen.get(key);
    seen.set(key, path);
    return other === undefined ? [] : [`the same bytes twice: ${other}, ${path}`];
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
