import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContentHash, compareByCodePoint, parseWorkspacePath, type WorkspacePath } from '@stoa/core';
import { type Random, scaled, seededRandom, seedFrom } from '../../../../tests/support/random.ts';
import { createCurrentContents } from '../../src/service/content-search/current-contents.ts';
import type { ChangedContent, CurrentContent } from '../../src/service/ports/files.ts';
import type { Reader } from '../../src/service/ports/reader.ts';

type Contents = ReturnType<typeof createCurrentContents>;
type FileReads = Parameters<Contents['pages']>[0];

async function listOf(contents: Contents, reader: FileReads, id: string, rows = 100) {
  const list: CurrentContent[] = [];
  for await (const page of contents.pages(reader, id, { afterPath: null, rows })) list.push(...page);
  return list;
}

test('empty lists also take room: beyond the limit, the list read longest ago is read again', async () => {
  const contents = createCurrentContents({ filesMax: 3 });
  let pages = 0;
  const emptied: FileReads = {
    workspaces: { find: async (id: string) => ({ id, seq: 2, usedFiles: 0 }) } as Reader['workspaces'],
    files: {
      async contentsPage() {
        pages += 1;
        return [];
      },
      contentsChangedSince: async () => [
        { seq: 2, changedAt: 1, path: parseWorkspacePath('a.md'), file: null },
      ],
    } as unknown as Reader['files'],
  };
  const readAgain = async (workspaceId: string) => {
    const before = pages;
    assert.deepEqual(await listOf(contents, emptied, workspaceId), []);
    return pages > before;
  };
  for (const id of ['w1', 'w2', 'w3', 'w4']) assert.equal(await readAgain(id), true);
  assert.equal(await readAgain('w4'), false);
  assert.equal(await readAgain('w1'), true);
});

const details = {
  contentType: 'text/markdown',
  changedAt: 0,
  principal: 'human',
  actorId: 'u',
  actorLabel: null,
} as const;

/** A workspace in memory that counts the reads. */
class Changing {
  readonly #random: Random;
  readonly #changes: { seq: number; changedAt: number; path: WorkspacePath }[] = [];
  readonly #files = new Map<WorkspacePath, ChangedContent['file']>();
  pagesRead = 0;
  changesAtOnce = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  change(times: number): void {
    for (let left = times; left > 0; left -= 1) {
      const seq = this.#changes.length + 1;
      const path = parseWorkspacePath(
        `${this.#random.pick(['a', 'b/é', '😀'])}/${this.#random.below(300)}.md`,
      );
      if (this.#random.below(3) === 0) this.#files.delete(path);
      else
        this.#files.set(path, {
          version: seq,
          contentHash: `hash ${seq}` as ContentHash,
          sizeBytes: seq,
          ...details,
        });
      this.#changes.push({ seq, changedAt: 7 * seq, path });
    }
  }

  list(): readonly CurrentContent[] {
    return [...this.#files]
      .flatMap(([path, file]) => (file === null ? [] : [{ path, ...file }]))
      .sort((a, b) => compareByCodePoint(a.path, b.path));
  }

  get reader(): FileReads {
    const find = async (id: string) => ({ id, seq: this.#changes.length, usedFiles: this.#files.size });
    return {
      workspaces: { find } as unknown as Reader['workspaces'],
      files: {
        contentsPage: async ({ afterPath, limit }: { afterPath: WorkspacePath | null; limit: number }) => {
          this.pagesRead += 1;
          const isLater = ({ path }: CurrentContent) =>
            afterPath === null || compareByCodePoint(path, afterPath) > 0;
          return this.list().filter(isLater).slice(0, limit);
        },
        contentsChangedSince: async ({ sinceSeq, limit }: { sinceSeq: number; limit: number }) => {
          this.changesAtOnce = Math.max(this.changesAtOnce, limit);
          const page = this.#changes.slice(sinceSeq, sinceSeq + limit);
          return page.map((change) => ({ ...change, file: this.#files.get(change.path) ?? null }));
        },
      } as unknown as Reader['files'],
    };
  }
}

test('followed changes give the same list as a new read, and few changes are read at once', async (t) => {
  const seed = seedFrom('STOA_CONTENT_SEED');
  t.diagnostic(`STOA_CONTENT_SEED=${seed}`);
  const random = seededRandom(seed);
  const workspace = new Changing(random);
  const contents = createCurrentContents();
  workspace.change(400);
  assert.deepEqual(await listOf(contents, workspace.reader, 'w'), workspace.list());
  const { pagesRead } = workspace;
  for (let round = scaled(20); round > 0; round -= 1) {
    workspace.change(random.pick([0, 1, 20, 249, 250, 251, 1000]));
    assert.deepEqual(await listOf(contents, workspace.reader, 'w'), workspace.list());
    const after = random.pick(workspace.list()).path;
    const [page] = await Array.fromAsync(
      contents.pages(workspace.reader, 'w', { afterPath: after, rows: 5 }),
    );
    const later = workspace.list().filter(({ path }) => compareByCodePoint(path, after) > 0);
    assert.deepEqual(page ?? [], later.slice(0, 5));
  }
  assert.equal(workspace.pagesRead, pagesRead);
  assert.ok(workspace.changesAtOnce <= 250, `${workspace.changesAtOnce} changes at once hold up others`);
});

test('a list that was not read to its end is not kept', async () => {
  const workspace = new Changing(seededRandom(1));
  workspace.change(100);
  const contents = createCurrentContents();
  for await (const page of contents.pages(workspace.reader, 'w', { afterPath: null, rows: 10 })) {
    assert.equal(page.length, 10);
    break;
  }
  assert.equal(workspace.pagesRead, 1);
  assert.deepEqual(await listOf(contents, workspace.reader, 'w', 10), workspace.list());
});
