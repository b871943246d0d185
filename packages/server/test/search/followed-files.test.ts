import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ContentHash,
  compareByCodePoint,
  parseWorkspacePath,
  searchedPath,
  type WorkspacePath,
} from '@stoa/core';
import { type Random, scaled, seededRandom, seedFrom } from '../../../../tests/support/random.ts';
import type { ChangedContent, CurrentContent } from '../../src/service/ports/files.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import type { Reader } from '../../src/service/ports/reader.ts';
import { type CurrentFile, createCurrentFiles } from '../../src/service/search/current-files.ts';

type Reads = Pick<Reader, 'workspaces' | 'files'>;

const storeOf = (reader: () => Reads): Pick<MetadataStore, 'snapshot'> => ({
  snapshot: (read) => read(reader() as Reader),
});

test('empty lists also take room: beyond the limit, the list read longest ago is read again', async () => {
  let pages = 0;
  const emptied: Reads = {
    workspaces: {
      find: async (id: string) => ({ id, seq: 2, privacyRecords: 0 }),
    } as unknown as Reader['workspaces'],
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
  const currentFiles = createCurrentFiles(
    storeOf(() => emptied),
    { filesMax: 3 },
  );
  const readAgain = async (workspaceId: string) => {
    const before = pages;
    assert.deepEqual((await currentFiles.read(workspaceId)).files, []);
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

  list(): readonly CurrentFile[] {
    return [...this.#files]
      .flatMap(([path, file]) => (file === null ? [] : [{ ...file, ...searchedPath(path) }]))
      .sort((a, b) => compareByCodePoint(a.path, b.path));
  }

  get reader(): Reads {
    const find = async (id: string) => ({ id, seq: this.#changes.length, privacyRecords: 0 });
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
  const currentFiles = createCurrentFiles(storeOf(() => workspace.reader));
  const list = async () => (await currentFiles.read('w')).files;
  workspace.change(400);
  assert.deepEqual(await list(), workspace.list());
  const { pagesRead } = workspace;
  for (let round = scaled(20); round > 0; round -= 1) {
    const before = await list();
    const copy = [...before];
    workspace.change(random.pick([0, 1, 20, 249, 250, 251, 1000, 5000]));
    assert.deepEqual(await list(), workspace.list());
    assert.deepEqual(before, copy, 'a search in progress keeps its list');
  }
  assert.equal(workspace.pagesRead, pagesRead);
  assert.ok(workspace.changesAtOnce <= 250, `${workspace.changesAtOnce} changes at once hold up others`);
  workspace.change(5001);
  assert.deepEqual(await list(), workspace.list());
  assert.ok(workspace.pagesRead > pagesRead);
});
