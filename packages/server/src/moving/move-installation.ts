// docs/decisions/0066-a-move-fills-a-new-installation.md
import { randomBytes } from 'node:crypto';
import { type CheckReport, checkInstallation } from '../service/checking/check-installation.ts';
import type { AuditRow } from '../service/ports/audit.ts';
import type { BlobStore } from '../service/ports/blob-store.ts';
import { type FilledMark, markNames, readMarks } from '../start/move-marks.ts';
import { commonNames, fingerprintOf, makePlaceId } from '../start/refuse-disagreeing-node.ts';
import { type HeldDatabase, quoted } from '../storage/held-database.ts';
import { type Brought, bringContents, withoutPlace } from './bring-contents.ts';
import { type CarriedTable, carriedTables } from './carried-tables.ts';
import { copyTables } from './copy-tables.ts';
import { copySecrets, forgetSecret, keepSecret } from './held-secrets.ts';
import type { MovedSecret } from './moved-secret.ts';
import { digestOf, type TableDigest } from './read-rows.ts';
import { RefusedMove } from './refused-move.ts';

/** Where an installation is, or is to be: nobody else has its database open. */
export interface MoveEnd {
  readonly database: HeldDatabase;
  readonly blobs: BlobStore;
}

export interface MoveOptions {
  readonly source: MoveEnd;
  readonly target: MoveEnd;
  /** Where to, as it may be shown. */
  readonly to: string;
  /** Whether both settings name the same place of large contents. */
  readonly isSamePlace: boolean;
  readonly secret: MovedSecret;
  readonly lost: 'refused' | 'left';
  /** For the audit log of the source, with which it comes into that of the target. */
  readonly told: AuditRow;
  /** Whether the check of the target reads all large contents once more. */
  readonly readBytes: boolean;
}

export interface MoveReport {
  readonly tables: readonly (TableDigest & { readonly name: string })[];
  /** What this run brought; an earlier one that was interrupted may have brought more. */
  readonly brought: Brought;
  readonly contents: FilledMark['contents'];
  readonly source: CheckReport;
  readonly target: CheckReport;
}

/**
 * Fills an empty place with everything that an installation holds, and marks the installation so that the service does not
 * start there any more. Killed at any point, it goes on when it is called again.
 * @throws RefusedMove when the target is not empty, or not the same in the end; then the source can be started again.
 */
export async function moveInstallation(
  options: MoveOptions,
  progress: (step: string) => void,
): Promise<MoveReport> {
  const { source, target, secret } = options;
  const tables = carriedTables(source.database, target.database);
  const mark = await beginOrGoOn(options, tables);
  if (mark.contents === 'brought') await nameOwnPlace(target);

  const brought: Brought = { contents: 0, bytes: 0, lost: [] };
  const carry =
    mark.contents === 'brought'
      ? bringContents({ source: source.blobs, target: target.blobs }, options.lost, brought)
      : carryAsIs;
  let reached = mark.reached;
  const note = async (now: NonNullable<FilledMark['reached']>) => {
    reached = now;
    await keepSecret(target.database, markNames.filled, JSON.stringify({ ...mark, reached }));
  };
  await copyTables(
    { source: source.database, target: target.database },
    tables,
    mark.reached,
    carry,
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

  if (mark.contents === 'stay') await renamePlace(options);
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

const carryAsIs: ReturnType<typeof bringContents> = async function* (_table, rows) {
  yield rows;
};

/** Marks both sides before anything is copied: the source first, so that it cannot change from now on. */
async function beginOrGoOn(options: MoveOptions, tables: readonly CarriedTable[]): Promise<FilledMark> {
  const { source, target, to, told } = options;
  const { left, filled: sourceFilled } = await readMarks(source.database.reader.secrets);
  const { filled } = await readMarks(target.database.reader.secrets);
  if (sourceFilled !== null) {
    throw new RefusedMove(
      'The source is itself what a move has not finished filling: finish that one first.',
    );
  }
  if (filled !== null && filled.move !== left?.move) {
    throw new RefusedMove(
      `The target holds a part of another move: empty it (${to}), and give the command again.`,
    );
  }
  if (filled === null && left?.isDone === true) {
    throw new RefusedMove(
      `This installation was moved to ${left.to} already. To move it once more, run \`npm run admin -- move forget\` first.`,
    );
  }
  // Also where the database is the same: the contents that are brought already are in the other place.
  if (left !== null && left.to !== to) {
    throw new RefusedMove(
      `This installation is being moved to ${left.to}: finish that, or give it up with \`npm run admin -- move forget\`.`,
    );
  }
  // Where contents stay, an earlier run may have given their place another id.
  if (filled?.contents !== 'stay') await refuseWrongPlace(source);
  if (filled !== null) return filled;
  await refuseFull(target, tables);
  const contents = await contentsOf(options);
  const move = left?.move ?? `move_${randomBytes(16).toString('base64url')}`;
  const mark: FilledMark = { move, contents, reached: null };
  await source.database.inTransaction(async () => {
    await keepSecret(source.database, markNames.left, JSON.stringify({ move, to, isDone: false }));
    // A run that was interrupted before the target had its mark has told of it.
    if (left === null) await source.database.audit.insertAuditEntry(told);
  });
  await keepSecret(target.database, markNames.filled, JSON.stringify(mark));
  return mark;
}

async function refuseFull({ database }: MoveEnd, tables: readonly CarriedTable[]): Promise<void> {
  for (const name of [...tables.map((table) => table.name), 'server_secret']) {
    const { rows } = await database.executor.once(`select 1 as one from ${quoted(name)} limit 1`, []);
    if (rows.length === 0) continue;
    throw new RefusedMove(
      `The target is not empty (its table ${name} has rows): a move fills an empty database only. Make a new one.`,
    );
  }
}

/** With the wrong settings every large content would be missing there. */
async function refuseWrongPlace({ database, blobs }: MoveEnd): Promise<void> {
  const known = await database.reader.secrets.find(commonNames.contents);
  if (known === null || known === (await blobs.readPlaceId())) return;
  throw new RefusedMove(
    'The large contents of this installation are not where these settings say: give the command with the STOA_BLOB_URL, or the STOA_DATA_DIR, that the service is started with. If all of them were moved by hand, run `npm run admin -- contents forget` first.',
  );
}

async function contentsOf({ source, target, isSamePlace }: MoveOptions): Promise<FilledMark['contents']> {
  const [from, to] = [await source.blobs.readPlaceId(), await target.blobs.readPlaceId()];
  if (isSamePlace || (to !== null && to === from)) return 'stay';
  if (to === null) return 'brought';
  throw new RefusedMove(
    'The place of the target for large contents belongs to an installation: give it an empty bucket, prefix or directory.',
  );
}

/** From here on the place belongs to the target, whoever looks at it. */
async function nameOwnPlace({ database, blobs }: MoveEnd): Promise<void> {
  const known = await database.reader.secrets.find(commonNames.contents);
  const found = await blobs.readPlaceId();
  if (known !== null && known === found) return;
  if (found !== null) {
    throw new RefusedMove(
      'The place of the target for large contents is not the one that this move began with.',
    );
  }
  const made = known ?? makePlaceId();
  await keepSecret(database, commonNames.contents, made);
  await blobs.keepPlaceId(made);
}

/**
 * Where large contents stay, the place gets another id, so that the source refuses to start even when its mark is taken away:
 * two databases that sweep one place would remove each other's contents.
 */
async function renamePlace({ source, target }: MoveOptions): Promise<void> {
  const before = await source.database.reader.secrets.find(commonNames.contents);
  if (before === null) {
    // A source that was last started before places had ids would take any.
    const found = await target.blobs.readPlaceId();
    await keepSecret(source.database, commonNames.contents, found ?? makePlaceId());
  }
  const known = await target.database.reader.secrets.find(commonNames.contents);
  const made = known ?? makePlaceId();
  await keepSecret(target.database, commonNames.contents, made);
  await target.blobs.keepPlaceId(made);
}

async function compare(
  { source, target }: MoveOptions,
  tables: readonly CarriedTable[],
  progress: (step: string) => void,
): Promise<MoveReport['tables']> {
  const digests: (TableDigest & { readonly name: string })[] = [];
  for (const table of tables) {
    const { name } = table;
    const compared = withoutPlace(table);
    const of = (end: MoveEnd, side: 'source' | 'target') =>
      digestOf(end.database, side, table, compared, (step) => progress(`comparing ${name}: ${step}`));
    const [there, here] = [await of(source, 'source'), await of(target, 'target')];
    if (there.rows !== here.rows || there.digest !== here.digest) {
      throw new RefusedMove(
        `The table ${name} is not the same on both sides (${there.rows} rows with the digest ${there.digest}, ${here.rows} with ${here.digest}): something changed it meanwhile. Nothing was switched over. Run \`npm run admin -- move forget\`, empty the target, and give the command again.`,
      );
    }
    digests.push({ name, ...here });
  }
  return digests;
}
