import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { type Random, scaled, seededRandom, seedFrom } from '../../../../tests/support/random.ts';
import type { McpDeps } from '../../src/mcp/mcp-deps.ts';
import { catchUpTool } from '../../src/mcp/tools/catch-up.ts';
import { openWorkspace, type WorkspaceAccess } from '../../src/service/access.ts';
import { createFeedWaiters } from '../../src/service/feed/feed-waiters.ts';
import { deleteFile } from '../../src/service/files/delete-file.ts';
import { moveFile } from '../../src/service/files/move-file.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import { createCurrentFiles } from '../../src/service/search/current-files.ts';
import { bytesOf, openService, personNamed } from '../support/open-service.ts';
import { signedIn, withKey } from '../support/signed-in.ts';

const hourMs = 3_600_000;
const { deps, advance, ...service } = await openService();
const feedWaiters = createFeedWaiters(deps.store);
after(async () => {
  feedWaiters[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});
const seed = seedFrom('STOA_CATCH_UP_SEED');
let scenes = 0;

/**
 * A workspace that a key reads. Every change has an author of its own, so a text that names the author shows
 * the change.
 */
async function openScene() {
  const { workspace } = await service.openWorkspace(personNamed('ada'));
  const ada = await signedIn(deps.store, 'ada');
  scenes += 1;
  const agent = await withKey(deps.store, ada, `key_${scenes}`);
  const access = await openWorkspace(deps, agent, workspace.id);
  const files = new Map<string, number>();
  let changes = 0;
  const as = async (label: string): Promise<WorkspaceAccess> => {
    const opened = await openWorkspace(deps, ada, workspace.id);
    return { ...opened, actor: { ...opened.actor, keyId: label, keyLabel: label } };
  };
  const write = async (path: string, label: string) => {
    const version = files.get(path) ?? 0;
    await writeFile(deps, await as(label), {
      path: parseWorkspacePath(path),
      precondition: version === 0 ? { kind: 'absent' } : { kind: 'version', version, contentHash: null },
      onConflict: 'keep',
      contentType: null,
      body: bytesOf(`${label}\n`),
      emptyAllowed: false,
    });
    files.set(path, version + 1);
  };
  return {
    files,
    write,
    /** @returns the label of its author, and the paths that it is about. */
    async change(random: Random): Promise<{ readonly label: string; readonly paths: readonly string[] }> {
      changes += 1;
      const label = `w${changes}w`;
      const known = [...files.keys()];
      const fresh = `${random.pick(['a', 'b', 'a/deep', 'c'])}/${label}.md`;
      switch (known.length === 0 ? 0 : random.below(6)) {
        case 0:
          await write(fresh, label);
          return { label, paths: [fresh] };
        case 1: {
          const from = random.pick(known);
          await moveFile(deps, await as(label), {
            from: parseWorkspacePath(from),
            to: parseWorkspacePath(fresh),
            base: null,
          });
          files.delete(from);
          files.set(fresh, 1);
          return { label, paths: [from, fresh] };
        }
        case 2: {
          // A file made and deleted since is not news. A deleted older file is.
          const old = known.filter((path) => path.startsWith('old/'));
          if (old.length === 0) return this.change(random);
          const path = random.pick(old);
          await deleteFile(deps, await as(label), {
            path: parseWorkspacePath(path),
            expected: { version: files.get(path) ?? 0, contentHash: null },
          });
          files.delete(path);
          return { label, paths: [path] };
        }
        default: {
          const path = random.pick(known);
          await write(path, label);
          return { label, paths: [path] };
        }
      }
    },
    /** The text that the tool returns. */
    async ask(given: { readonly path?: string; readonly since?: string } = {}): Promise<string> {
      const signal = new AbortController().signal;
      const currentFiles = createCurrentFiles(deps.store);
      const toolDeps = { service: { ...deps, feedWaiters, currentFiles } } as unknown as McpDeps;
      assert.ok(catchUpTool.reach === 'workspace');
      const input = { diff: false, wait: 0, ...given };
      const response = await catchUpTool.handle({
        ...{ deps: toolDeps, caller: agent, access, input, restores: true, content: null, signal },
        whileWaiting: (wait) => wait(),
      });
      return [response.text].flat().join('\n');
    },
  };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** One session of an agent that does what the texts say, over a connection that loses responses. */
class Session {
  readonly #scene: Scene;
  readonly #random: Random;
  readonly #path: string | null;
  readonly #received: string[];
  /** The cursor of the last response that arrived. */
  #cursor: string | null = null;

  constructor(scene: Scene, random: Random, path: string | null, received: string[]) {
    this.#scene = scene;
    this.#random = random;
    this.#path = path;
    this.#received = received;
  }

  /** @param losses how many responses of ten are lost. @returns what arrived. */
  async ask(since: string | null, losses: number): Promise<string | null> {
    const text = await this.#scene.ask({
      ...(this.#path === null ? {} : { path: this.#path }),
      ...(since === null ? {} : { since }),
    });
    if (this.#random.below(10) < losses) return null;
    this.#received.push(text);
    const [, from = null, to = 0] = /Cursor (\d+) to (\d+) was not confirmed/.exec(text) ?? [];
    const isMissed = from !== null && Number(this.#cursor ?? -1) < Number(to);
    const [facts = ''] = text.split('\n');
    this.#cursor = /(?:now | \()cursor (\d+)[.)]/.exec(facts)?.[1] ?? null;
    if (isMissed) {
      this.#cursor = from;
      for (let pages = 0; pages < 500; pages += 1) {
        const next = await this.ask(this.#cursor, losses);
        if (next !== null && isNothing(next)) break;
      }
    }
    return text;
  }

  /** With the cursor that it has, or without. */
  step(losses: number): Promise<string | null> {
    return this.ask(this.#random.below(2) === 0 ? this.#cursor : null, losses);
  }
}

const isNothing = (text: string) => text.startsWith('Nothing by others') && !text.includes('More changes');

test(`each change by others is shown at least once to a key, whatever is lost (seed ${seed})`, async () => {
  for (let round = 0; round < scaled(6); round += 1) {
    const random = seededRandom(seed + round);
    const scene = await openScene();
    for (let old = 0; old < 8; old += 1) await scene.write(`old/${old}.md`, 'before');
    advance(25 * hourMs);
    const received = { whole: [] as string[], path: [] as string[] };
    const open = (path: string | null) =>
      new Session(scene, random, path, path === null ? received.whole : received.path);
    let sessions = [open(null), open(null), open('a')];
    const changes: Awaited<ReturnType<Scene['change']>>[] = [];
    for (let step = 0; step < 60; step += 1) {
      if (step === 30) {
        for (let file = 0; file < 210; file += 1) {
          const label = `bulk${file}x`;
          const path = `f${file % 70}/${label}.md`;
          await scene.write(path, label);
          scene.files.delete(path);
          changes.push({ label, paths: [path] });
        }
      }
      for (let count = random.below(3); count > 0; count -= 1) changes.push(await scene.change(random));
      advance(random.below(20) * 60_000);
      if (random.below(8) === 0) sessions = [open(null), open(null), open('a')];
      if (random.below(2) === 0) await random.pick(sessions).step(4);
    }
    for (const path of [null, 'a']) {
      const last = open(path);
      let quiet = 0;
      for (let calls = 0; calls < 40 && quiet < 1; calls += 1) {
        const text = await last.ask(null, 0);
        if (text !== null && isNothing(text)) quiet += 1;
      }
      assert.equal(quiet, 1, `round ${round}: calls for ${path ?? 'all'} make no progress`);
    }
    const whole = received.whole.join('\n');
    const either = `${whole}\n${received.path.join('\n')}`;
    for (const { label, paths } of changes) {
      assert.ok(whole.includes(label), `round ${round}: no response showed ${label} (${paths.join(' to ')})`);
      const isInPath = paths.some((path) => path.startsWith('a/'));
      assert.ok(!isInPath || either.includes(label), `round ${round}: ${label} of a/`);
    }
  }
});
