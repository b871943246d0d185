import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseConflictedCopyPath, parseWorkspacePath } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import type { SimulatedDisk } from '../simulated/simulated-disk.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { moveSimulatedFolder, SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };

interface Sides {
  readonly disk: SimulatedDisk;
  readonly server: SimulatedServer;
}

interface Scenario {
  readonly name: string;
  /** Files on the disk before the first pass. */
  readonly files: Readonly<Record<string, string>>;
  /** Changes by the user and an agent after both sides are equal. */
  act(sides: Sides): void;
  /** A change by the agent when the process first reaches this step. */
  readonly meanwhile?: { readonly step: string; act(sides: Sides): void };
  readonly hasHardLinks?: boolean;
  readonly merge?: 'off' | 'clean';
}

function serve(server: SimulatedServer, path: string, text: string): void {
  const there = server.find(parseWorkspacePath(path), agent.userId);
  const seen = there === null ? ({ kind: 'absent' } as const) : ({ kind: 'version', ...there } as const);
  server.write(agent, parseWorkspacePath(path), bytesOf(text), seen, null);
}

function deleteThere(server: SimulatedServer, path: string): void {
  const there = server.find(parseWorkspacePath(path), agent.userId);
  assert.ok(there);
  server.delete(agent, parseWorkspacePath(path), there);
}

const moveThere = (server: SimulatedServer, from: string, to: string) =>
  server.move(agent, parseWorkspacePath(from), parseWorkspacePath(to), null);

const scenarios: readonly Scenario[] = [
  {
    name: 'an upload, an edit, a large file',
    files: { 'old.md': 'old' },
    act: ({ disk }) => {
      disk.writeFile('new.md', bytesOf('new'));
      disk.writeFile('old.md', bytesOf('edited'));
      disk.writeFile('large.bin', new Uint8Array(1_100_000).fill(7));
    },
  },
  {
    name: 'a download, a newer version',
    files: { 'old.md': 'old' },
    act: ({ server }) => {
      serve(server, 'docs/new.md', 'new');
      serve(server, 'old.md', 'newer');
    },
  },
  {
    name: 'a newer version on a disk without hard links',
    files: { 'old.md': 'old', 'moved.md': 'moved' },
    hasHardLinks: false,
    act: ({ server }) => {
      serve(server, 'old.md', 'newer');
      moveThere(server, 'moved.md', 'elsewhere.md');
    },
  },
  {
    name: 'a download of a content that the folder already has',
    files: { 'a.md': 'a'.repeat(100_000) },
    act: ({ server }) => serve(server, 'copy.md', 'a'.repeat(100_000)),
  },
  {
    name: 'deletes on both sides',
    files: { 'here.md': 'here', 'there.md': 'there', 'stays.md': 'stays' },
    act: ({ disk, server }) => {
      disk.unlink('here.md');
      deleteThere(server, 'there.md');
    },
  },
  {
    name: 'moves on both sides',
    files: { 'here.md': 'here', 'there.md': 'there' },
    act: ({ disk, server }) => {
      disk.rename('here.md', 'here-moved.md');
      moveThere(server, 'there.md', 'there-moved.md');
    },
  },
  {
    name: 'a file that is moved on the server and edited locally',
    files: { 'a.md': 'a' },
    act: ({ disk, server }) => {
      disk.writeFile('a.md', bytesOf('edited'));
      moveThere(server, 'a.md', 'b.md');
    },
  },
  {
    name: 'a folder that is moved locally, another that is moved on the server',
    files: { 'one/a.md': 'a', 'one/b.md': 'b', 'two/c.md': 'c', 'two/d.md': 'd' },
    act: ({ disk, server }) => {
      disk.rename('one', 'first');
      moveSimulatedFolder(server, agent, parseWorkspacePath('two'), parseWorkspacePath('second'));
    },
  },
  {
    name: 'a conflict',
    files: { 'a.md': 'a' },
    act: ({ disk, server }) => {
      disk.writeFile('a.md', bytesOf('mine'));
      serve(server, 'a.md', 'theirs');
    },
  },
  {
    name: 'a conflict with a file that is deleted right afterwards',
    files: { 'a.md': 'a' },
    act: ({ disk, server }) => {
      disk.writeFile('a.md', bytesOf('mine'));
      serve(server, 'a.md', 'theirs');
    },
    meanwhile: { step: 'conflict: answered', act: ({ server }) => deleteThere(server, 'a.md') },
  },
  {
    name: 'two edits that do not overlap',
    files: { 'a.md': 'one\ntwo\nthree\nfour\n' },
    merge: 'clean',
    act: ({ disk, server }) => {
      disk.writeFile('a.md', bytesOf('ONE\ntwo\nthree\nfour\n'));
      serve(server, 'a.md', 'one\ntwo\nthree\nFOUR\n');
    },
  },
  {
    name: 'a file that is moved to a path that an agent has taken',
    files: { 'a.md': 'a' },
    act: ({ disk, server }) => {
      disk.rename('a.md', 'b.md');
      serve(server, 'b.md', 'theirs');
    },
  },
  {
    name: 'an empty folder',
    files: { 'a.md': 'a' },
    act: ({ disk }) => disk.makeFolders('empty/deep'),
  },
  {
    name: 'files that an agent makes private, one of them edited',
    files: { 'secret/a.md': 'a', 'secret/b.md': 'b' },
    act: ({ disk, server }) => {
      disk.writeFile('secret/b.md', bytesOf('edited'));
      server.setPrivate(agent, parseWorkspacePath('secret'), true);
    },
  },
];

/** Requests allowed beyond those of a run without the crash and of another start. */
const extraRequestsMax = 5;

interface Run {
  readonly steps: readonly string[];
  readonly requests: number;
  /** Requests of another start when no work is left. */
  readonly requestsOfStart: number;
  readonly here: Readonly<Record<string, string>>;
  readonly there: Readonly<Record<string, string>>;
  readonly versions: number;
  readonly copies: readonly string[];
  readonly staged: readonly string[];
}

/** @param killAt the step at which the process ends, counted from 0 after the first pass; null never ends it. */
async function run(
  { files, act, meanwhile: concurrently, hasHardLinks = true, merge = 'off' }: Scenario,
  killAt: number | null,
): Promise<Run> {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(agent.userId);
  const steps: string[] = [];
  let requests = 0;
  let isCounting = false;
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    disk: { hasHardLinks },
    merge,
    fault: (request) => {
      if (isCounting && request !== 'download') requests += 1;
      return 'none';
    },
    trace: () => {},
    onStep: (name) => {
      if (!isCounting) return;
      if (name === concurrently?.step && !steps.includes(name))
        concurrently.act({ disk: client.disk, server });
      steps.push(name);
      if (steps.length - 1 !== killAt) return;
      client.crash('process');
      client.start();
      return new Promise(() => {});
    },
  });
  for (const [path, text] of Object.entries(files)) {
    client.disk.makeFolders(path.split('/').slice(0, -1).join('/'));
    client.disk.writeFile(path, bytesOf(text));
  }
  client.start();
  await client.untilQuiet(1);
  // The process is stopped here, so that the next pass finds all changes.
  client.crash('process');
  act({ disk: client.disk, server });
  isCounting = true;
  client.start();
  await client.untilQuiet(1);
  const asked = requests;
  client.crash('process');
  client.start();
  await client.untilQuiet(1);
  const requestsOfStart = requests - asked;
  client.crash('process');
  const all = [...client.disk.walk()].flatMap(({ path, node }) =>
    node.kind === 'file' ? [[path, hashOf(node.inode.bytes)] as const] : [],
  );
  const there = [...server.filesFor(own.userId)];
  return {
    steps,
    requests: asked,
    requestsOfStart,
    here: Object.fromEntries(all.filter(([path]) => !path.startsWith('.stoa/'))),
    there: Object.fromEntries(
      there.flatMap(([path, { contentHash }]) => (path.endsWith('.keep') ? [] : [[path, contentHash]])),
    ),
    versions: [...server.allContents()].length,
    copies: there.flatMap(([path]) => (parseConflictedCopyPath(path) === null ? [] : [path])),
    staged: all.flatMap(([path]) => (path.startsWith('.stoa/staging/') ? [path] : [])),
  };
}

const sources = join(import.meta.dirname, '../../src');

async function readStepNames(): Promise<Set<string>> {
  const names = new Set<string>();
  for (const room of ['engine', 'local']) {
    for (const file of await readdir(join(sources, room), { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const text = await readFile(join(sources, room, file), 'utf8');
      for (const [, name] of text.matchAll(/onStep\('([^']+)'\)/g)) if (name !== undefined) names.add(name);
    }
  }
  return names;
}

describe('a process that is killed at any of its steps', () => {
  const tried = new Set<string>();
  for (const scenario of scenarios) {
    it(`${scenario.name}: resumes without extra versions or copies and with few extra requests`, async () => {
      const whole = await run(scenario, null);
      assert.ok(whole.steps.length > 0);
      for (const [at, step] of whole.steps.entries()) {
        tried.add(step);
        const killed = await run(scenario, at);
        const where = `killed at step ${at}: ${step}`;
        assert.deepEqual(killed.here, killed.there, where);
        assert.deepEqual(
          Object.values(killed.there).sort(),
          Object.values(whole.there).sort(),
          `${where}: ${JSON.stringify(killed.there)}`,
        );
        assert.equal(killed.versions, whole.versions, where);
        assert.equal(killed.copies.length, whole.copies.length, where);
        assert.deepEqual(killed.staged, [], where);
        const extra = killed.requests - whole.requests - whole.requestsOfStart;
        assert.ok(extra <= extraRequestsMax, `${where}: ${extra} requests more`);
      }
    });
  }

  it('covers each step that the engine names', async () => {
    const named = await readStepNames();
    assert.deepEqual([...named.difference(tried)], []);
  });
});
