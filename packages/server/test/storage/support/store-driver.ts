import { randomUUID } from 'node:crypto';
import { type ContentHash, parseWorkspacePath, type WorkspacePath } from '@stoa/core';
import type { ChangeRow } from '../../../src/service/ports/changes.ts';
import type { FileRow, VersionRow } from '../../../src/service/ports/files.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import type { PrivacyRow } from '../../../src/service/ports/nodes.ts';
import { type Ending, plainChange, type Step, stepsScript } from './store-scripts.ts';

export const path = (text: string): WorkspacePath => parseWorkspacePath(text);
export const hashOf = (digit: string): ContentHash => digit.repeat(64).slice(0, 64) as ContentHash;

/** Common operations of the store tests, in one workspace of their own. */
export interface StoreDriver {
  readonly workspaceId: string;
  run(...steps: readonly Step[]): Promise<unknown[]>;
  runEnding(ending: Ending, ...steps: readonly Step[]): Promise<unknown[]>;
  file(path: WorkspacePath, fields?: Partial<FileRow>): FileRow;
  version(file: FileRow, fields?: Partial<VersionRow>): VersionRow;
  putFile(path: WorkspacePath, fields?: Partial<FileRow>): Promise<void>;
  setPrivacy(record: Omit<PrivacyRow, 'implied'> & Partial<Pick<PrivacyRow, 'implied'>>): Promise<void>;
  /** At the next seq. */
  insertChange(change: { readonly path: WorkspacePath } & Partial<ChangeRow>): Promise<void>;
}

export async function createStoreDriver(store: MetadataStore): Promise<StoreDriver> {
  const workspaceId = `ws_${randomUUID()}`;
  const runEnding = (ending: Ending, ...steps: readonly Step[]) =>
    store.transact(stepsScript, { steps, ending });
  const run = (...steps: readonly Step[]) => runEnding('commit', ...steps);
  await run([
    'insertWorkspace',
    { id: workspaceId, name: 'Tests', icon: null, color: null, planId: null, createdAt: 1 },
  ]);
  // Above the ids that the tests choose themselves: a file id belongs to one file only.
  let incarnations = 1000;
  const nextIncarnation = () => {
    incarnations += 1;
    return incarnations;
  };
  const file = (at: WorkspacePath, fields: Partial<FileRow> = {}): FileRow => ({
    workspaceId,
    path: at,
    incarnation: nextIncarnation(),
    version: 1,
    sizeBytes: 3,
    contentType: 'text/plain',
    contentHash: hashOf('a'),
    ...fields,
  });
  return {
    workspaceId,
    run,
    runEnding,
    file,
    version: (row, fields = {}) => ({
      ...row,
      op: 'write',
      principal: 'human',
      actorId: 'us_actor',
      actorKeyId: null,
      actorLabel: null,
      createdAt: 5,
      movedFrom: null,
      conflictBase: null,
      ...fields,
    }),
    async putFile(at, fields) {
      await run(['putFile', file(at, fields)]);
    },
    async setPrivacy(record) {
      await run(['setPrivacy', workspaceId, { implied: false, ...record }]);
    },
    async insertChange(change) {
      const [first] = await run(['takeSeqs', workspaceId, 1, { bytes: 0, files: 0 }]);
      await run([
        'insertChange',
        { ...plainChange(workspaceId, change.path), ...change, seq: Number(first) },
      ]);
    },
  };
}
