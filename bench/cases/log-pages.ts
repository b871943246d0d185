import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { unlimitedPlan } from '../../packages/server/src/config/plans-file.ts';
import { writeFileScript } from '../../packages/server/src/service/files/write-file.ts';
import { migrate } from '../../packages/server/src/storage/sqlite/migrate.ts';
import { openConnection } from '../../packages/server/src/storage/sqlite/open-connection.ts';
import type { WriterStart } from '../../packages/server/src/storage/sqlite/run-writer.ts';
import type { FromWriter, ToWriter } from '../../packages/server/src/storage/sqlite/serve-batches.ts';
import type { BenchCase } from '../bench-case.ts';
import { limitRow } from '../sync/rows.ts';

const filesBefore = 20_000;
const filesAtOnce = 200;
const filesMeasured = 3_200;
const bodyBytes = 4096;
const folders = 32;
const ids = { workspace: id('ws'), user: id('user'), key: id('key') };
/** The most log pages that a PUT may write, by the size of the batch. */
const targets = [
  { batch: 16, pages: 3.5 },
  { batch: 64, pages: 2.5 },
];

/**
 * Counts the log pages of a commit. A commit writes each page once, so that PUTs in one batch share pages. Names and
 * contents are random, as of files from several people. A count is the same on a busy machine.
 */
export const logPages: BenchCase = {
  id: 'log-pages',
  measures: 'pages of log for each PUT of a new 4 KiB file into 20,000, in batches of 16 and 64, on SQLite',
  async run({ workbench, rounds }) {
    const file = `${await workbench.directory('log-pages')}/stoa.db`;
    using db = openConnection(file, 'write');
    prepare(db);
    await using writer = await startWriter(file);
    for (let files = 0; files < filesBefore; files += filesAtOnce) await writer.putNew(filesAtOnce);
    const counted: { batch: number; pages: number[] }[] = [];
    for (const { batch } of targets) {
      const pages: number[] = [];
      for (let round = 0; round < rounds; round += 1) pages.push(await pagesEach(db, writer, batch));
      counted.push({ batch, pages });
    }
    const rows = targets.map(({ batch, pages: most }, at) => {
      const pages = counted[at]?.pages ?? [];
      return limitRow(`log pages of a PUT, batches of ${batch}`, `${most} pages`, pages, most);
    });
    return { rows, raw: counted };
  },
};

async function pagesEach(db: DatabaseSync, writer: DirectWriter, batch: number): Promise<number> {
  const frames = () => Number(db.prepare('pragma wal_checkpoint(noop)').get()?.log);
  db.prepare('pragma wal_checkpoint(truncate)').get();
  const batches = filesMeasured / batch;
  for (let sent = 0; sent < batches; sent += 1) await writer.putNew(batch);
  return frames() / filesMeasured;
}

/** One person with a key, who owns the workspace. */
function prepare(db: DatabaseSync): void {
  migrate(db);
  const { workspace, user, key } = ids;
  const insert = (sql: string, ...values: string[]) => db.prepare(sql).run(...values);
  insert(
    `insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
      values (?, 'Ada', 'ada@example.org', 1, '2026', '2026')`,
    user,
  );
  insert(`insert into workspace (id, name, lapsed, created_at) values (?, 'Bench', 0, 1)`, workspace);
  insert('insert into workspace_counter values (?, 0, 0, 0, 0, 0, 0)', workspace);
  insert(`insert into member values (?, ?, 'owner', 1, 0)`, workspace, user);
  insert(
    `insert into api_key (id, secret_hash, user_id, name, start, principal, disabled, created_at)
      values (?, 'hash', ?, 'bench', 'stoa_', 'agent', 0, 1)`,
    key,
    user,
  );
}

interface DirectWriter extends AsyncDisposable {
  /** New files in one commit. */
  readonly putNew: (count: number) => Promise<void>;
}

/** Starts the writer's thread and uses its port directly, because the server's queue would choose the batches. */
async function startWriter(file: string): Promise<DirectWriter> {
  const plans = { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan], maxFileBytes: 1_000_000 };
  // No checkpoint between two counts.
  const workerData: WriterStart = { file, plans, checkpointPages: 10_000_000 };
  const program = new URL('../../packages/server/src/workers/writer-worker.ts', import.meta.url);
  const worker = new Worker(program, { workerData });
  const next = () => new Promise<FromWriter>((resolve) => worker.once('message', resolve));
  const send = (message: ToWriter) => worker.postMessage(message);
  await next();
  let made = 0;
  return {
    async putNew(count) {
      const scripts = Array.from({ length: count }, () => {
        made += 1;
        return { script: writeFileScript.name, command: newFile(made) };
      });
      const response = next();
      send({ kind: 'batch', scripts });
      const message = await response;
      const results =
        message.kind === 'batch' && message.result.kind === 'committed' ? message.result.results : [];
      if (results.length !== count || results.some(({ kind }) => kind !== 'done')) {
        throw new Error(`new files were not written: ${JSON.stringify(message)}`);
      }
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      send({ kind: 'close' });
      await ended;
    },
  };
}

function newFile(number: number) {
  const { workspace: workspaceId, user: userId, key: keyId } = ids;
  const bytes = Uint8Array.from(randomBytes(bodyBytes));
  return {
    workspaceId,
    actor: { principal: 'agent', userId, keyId, keyLabel: 'bench', userName: 'Ada' },
    viewer: { userId, within: '' },
    credential: { via: 'key', credentialId: keyId, userId },
    now: Date.now(),
    path: `folder ${number % folders}/${randomBytes(6).toString('hex')}.bin`,
    precondition: { kind: 'none' },
    onConflict: 'keep',
    contentType: null,
    content: {
      contentHash: createHash('sha256').update(bytes).digest('hex'),
      sizeBytes: bytes.length,
      location: { kind: 'inline', bytes },
      frontMatter: { kind: 'read', frontMatter: null },
    },
  };
}

/** An id with the length of the server's ids. */
function id(prefix: string): string {
  return `${prefix}_${randomBytes(20).toString('base64url')}`;
}
