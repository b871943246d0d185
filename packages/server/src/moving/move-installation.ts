// Copies table by table, because an export would create new ids, times and feed numbers, which every client would
// notice.
import { randomBytes } from 'node:crypto';
import { type CheckReport, checkInstallation } from '../service/checking/check-installation.ts';
import type { AuditRow } from '../service/ports/audit.ts';
import type { BlobStore } from '../service/ports/blob-store.ts';
import { type FilledMark, markNames, readMarks } from '../start/move-marks.ts';
import { commonNames, fingerprintOf, makeLocationId } from '../start/reject-disagreeing-node.ts';
import { type HeldDatabase, quoted } from '../storage/held-database.ts';
import { type Brought, bringContents, withoutLocation } from './bring-contents.ts';
import { type TransferredTable, transferredTables } from './copied-tables.ts';
import { copyTables } from './copy-tables.ts';
import { copySecrets, forgetSecret, keepSecret } from './held-secrets.ts';
import type { MovedSecret } from './moved-secret.ts';
import { digestOf, type TableDigest } from './read-rows.ts';
import { RejectedMove } from './rejected-move.ts';

/** One side of a move. No other process has its database open. */
export interface MoveEnd {
  readonly database: HeldDatabase;
  readonly blobs: BlobStore;
}

export interface MoveOptions {
  readonly source: MoveEnd;
  readonly target: MoveEnd;
  /** Name of the target without secrets. */
  readonly to: string;
  /** Whether both settings name the same location of large contents. */
  readonly isSameLocation: boolean;
  readonly secret: MovedSecret;
  readonly lost: 'refused' | 'left';
  /** An entry for the source's audit log, which is copied to the target. */
  readonly auditRow: AuditRow;
  /** Whether the check of the target reads all large contents again. */
  readonly readBytes: boolean;
}

export interface MoveReport {
  readonly tables: readonly (TableDigest & { readonly name: string })[];
  /** Contents that this run copied. An interrupted earlier run may have copied more. */
  readonly brought: Brought;
  readonly contents: FilledMark['contents'];
  readonly source: CheckReport;
  readonly target: CheckReport;
}

/**
 * Copies an installation to an empty location, and marks the source so that the service no longer starts there. If it
 * is killed at any point, the next call continues.
 * @throws RejectedMove if the target is not empty, or differs in the end; the source can then be started again
 */
export async function moveInstallation(
  options: MoveOptions,
  progress: (step: string) => void,
): Promise<MoveReport> {
  const { source, target, secret } = options;
  const tables = transferredTables(source.database, target.database);
  const mark = await beginOrGoOn(options, tables);
  if (mark.contents === 'brought') await nameOwnLocation(target);

  const brought: Brought = { contents: 0, bytes: 0, lost: [] };
  const transfer =
    mark.contents === 'brought'
      ? bringContents({ source: source.blobs, target: target.blobs }, options.lost, brought)
      : copyAsIs;
  let reached = mark.reached;
  const note = async (now: NonNullable<FilledMark['reached']>) => {
    reached = now;
    await keepSecret(target.database, markNames.filled, JSON.stringify({ ...mark, reached }));
  };
  await copyTables(
    { source: source.database, target: target.database },
    tables,
    mark.reached,
    transfer,
    note,
    progress,
  );
  await copySecrets(source.database, target.database);

  const digests = await compare(options, tables, progress);
  const checkOf = (end: MoveEnd, readBytes: boolean, words: string) => {
    const { reader } = end.database;
    const store = {
      reader,
      snapshot: <Result>(read: (of: typeof reader) => Promise<Result>) => read(reader),
    };
    return checkInstallation({ store, blobs: end.blobs }, { readBytes }, (step) =>
      progress(`${words}: ${step}`),
    );
  };
  const checked = {
    source: await checkOf(source, false, 'checking the source'),
    target: await checkOf(target, options.readBytes, 'checking the target'),
  };

  if (mark.contents === 'stay') await renameLocation(options);
  if (secret.value !== null) await secret.keep?.(secret.value);
  if (secret.value !== null && secret.isCompared) {
    await keepSecret(target.database, commonNames.secret, fingerprintOf(secret.value));
  }
  await keepSecret(
    source.database,
    markNames.left,
    JSON.stringify({ move: mark.move, to: options.to, isDone: true }),
  );
  await forgetSecret(target.database, markNames.filled);
  return { tables: digests, brought, contents: mark.contents, ...checked };
}

const copyAsIs: ReturnType<typeof bringContents> = async function* (_table, rows) {
  yield rows;
};

/** Marks both sides before anything is copied, the source first, so that it cannot change any more. */
async function beginOrGoOn(options: MoveOptions, tables: readonly TransferredTable[]): Promise<FilledMark> {
  const { source, target, to, auditRow: reported } = options;
  const { left, filled: sourceFilled } = await readMarks(source.database.reader.secrets);
  const { filled } = await readMarks(target.database.reader.secrets);
  if (sourceFilled !== null) {
    throw new RejectedMove('The source is the target of an unfinished move: finish that move first.');
  }
  if (filled !== null && filled.move !== left?.move) {
    throw new RejectedMove(
      `The target contains a part of another move: empty it (${to}) and run the command again.`,
    );
  }
  if (filled === null && left?.isDone === true) {
    throw new RejectedMove(
      `This installation was moved to ${left.to} already. To move it once more, run \`npm run admin -- move forget\` first.`,
    );
  }
  // Also applies if the database is the same, because the contents copied so far are at the other location.
  if (left !== null && left.to !== to) {
    throw new RejectedMove(
      `This installation is being moved to ${left.to}: finish that, or give it up with \`npm run admin -- move forget\`.`,
    );
  }
  // If contents stay, an earlier run may have given their location another id.
  if (filled?.contents !== 'stay') await rejectWrongLocation(source);
  if (filled !== null) return filled;
  await rejectFull(target, tables);
  const contents = await contentsOf(options);
  const move = left?.move ?? `move_${randomBytes(16).toString('base64url')}`;
  const mark: FilledMark = { move, contents, reached: null };
  await source.database.inTransaction(async () => {
    await keepSecret(source.database, markNames.left, JSON.stringify({ move, to, isDone: false }));
    // If a run was interrupted before it marked the target, its audit entry exists already.
    if (left === null) await source.database.audit.insertAuditEntry(reported);
  });
  await keepSecret(target.database, markNames.filled, JSON.stringify(mark));
  return mark;
}

async function rejectFull({ database }: MoveEnd, tables: readonly TransferredTable[]): Promise<void> {
  for (const name of [...tables.map((table) => table.name), 'server_secret']) {
    const { rows } = await database.executor.once(`select 1 as one from ${quoted(name)} limit 1`, []);
    if (rows.length === 0) continue;
    throw new RejectedMove(
      `The target is not empty (its table ${name} has rows): a move needs an empty database. Create a new one.`,
    );
  }
}

/** With wrong settings every large content would seem to be missing. */
async function rejectWrongLocation({ database, blobs }: MoveEnd): Promise<void> {
  const known = await database.reader.secrets.find(commonNames.contents);
  if (known === null || known === (await blobs.readPlaceId())) return;
  throw new RejectedMove(
    'The large contents of this installation are not at the location in these settings: run the command with the STOA_BLOB_URL or STOA_DATA_DIR of the service. If you moved all of them by hand, run `npm run admin -- contents forget` first.',
  );
}

async function contentsOf({ source, target, isSameLocation }: MoveOptions): Promise<FilledMark['contents']> {
  const [from, to] = [await source.blobs.readPlaceId(), await target.blobs.readPlaceId()];
  if (isSameLocation || (to !== null && to === from)) return 'stay';
  if (to === null) return 'brought';
  throw new RejectedMove(
    'The location for large contents of the target belongs to an installation: use an empty bucket, prefix or directory.',
  );
}

/** From here on the location belongs to the target, for every process that checks it. */
async function nameOwnLocation({ database, blobs }: MoveEnd): Promise<void> {
  const known = await database.reader.secrets.find(commonNames.contents);
  const found = await blobs.readPlaceId();
  if (known !== null && known === found) return;
  if (found !== null) {
    throw new RejectedMove('The location for large contents of the target changed since this move began.');
  }
  const made = known ?? makeLocationId();
  await keepSecret(database, commonNames.contents, made);
  await blobs.keepPlaceId(made);
}

/**
 * If large contents stay, their location gets another id, so that the source cannot start even if its mark is
 * removed. Two databases that sweep one location would remove each other's contents.
 */
async function renameLocation({ source, target }: MoveOptions): Promise<void> {
  const before = await source.database.reader.secrets.find(commonNames.contents);
  if (before === null) {
    // A source that was last started before locations had ids would accept any location.
    const found = await target.blobs.readPlaceId();
    await keepSecret(source.database, commonNames.contents, found ?? makeLocationId());
  }
  const known = await target.database.reader.secrets.find(commonNames.contents);
  const made = known ?? makeLocationId();
  await keepSecret(target.database, commonNames.contents, made);
  await target.blobs.keepPlaceId(made);
}

async function compare(
  { source, target }: MoveOptions,
  tables: readonly TransferredTable[],
  progress: (step: string) => void,
): Promise<MoveReport['tables']> {
  const digests: (TableDigest & { readonly name: string })[] = [];
  for (const table of tables) {
    const { name } = table;
    const compared = withoutLocation(table);
    const of = (end: MoveEnd, side: 'source' | 'target') =>
      digestOf(end.database, side, table, compared, (step) => progress(`comparing ${name}: ${step}`));
    const [there, here] = [await of(source, 'source'), await of(target, 'target')];
    if (there.rows !== here.rows || there.digest !== here.digest) {
      throw new RejectedMove(
        `The table ${name} is not the same on both sides (${there.rows} rows with the digest ${there.digest}, ${here.rows} with ${here.digest}): it was changed during the move. The installation was not switched over. Run \`npm run admin -- move forget\`, empty the target, and run the command again.`,
      );
    }
    digests.push({ name, ...here });
  }
  return digests;
}
