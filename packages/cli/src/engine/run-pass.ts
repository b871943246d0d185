// docs/sync.md
import {
  type Hold,
  type KnownVersion,
  type ObjectId,
  passRoundsMax,
  planSync,
  type Question,
  type SkippedPath,
  type SyncFacts,
  type SyncPlan,
  type SyncTrees,
  type WorkspacePath,
} from '@stoa/core';
import { goneCopies } from './conflict-rows.ts';
import { type Engine, ownLabel } from './engine.ts';
import { isKept } from './execute/conflict.ts';
import { executePlan } from './execute/execute-plan.ts';
import { flushPlaced } from './execute/flush-placed.ts';
import { checkReplaced } from './execute/keep-in-quarantine.ts';
import { emptyTally, leaveOut, type PassTally } from './execute/pass-tally.ts';
import { pruneTrash } from './execute/prune-trash.ts';
import { takeHeadsAway } from './execute/take-heads-away.ts';
import { confirmedMembers, confirmHolds, rememberHolds, undoHolds } from './holds.ts';
import { readActiveRules } from './observe/active-rules.ts';
import { type Audit, beginAudit, endAudit, followBackInTime, isAuditDue } from './observe/audit.ts';
import { compareScan, type LocalTrees } from './observe/compare-scan.ts';
import { beginFirstContact } from './observe/first-contact.ts';
import { type FolderScan, isSameRules } from './observe/folder-view.ts';
import { findNewlyUnignored, sharedRulesComing } from './observe/newly-unignored.ts';
import { differsFromBase, type ReportedPage, readFeed } from './observe/read-feed.ts';
import type { DiskPath } from './ports/local-folder.ts';
import { recover, recoverIntents } from './recover/recover.ts';
import { dropPassed, rememberSkipped } from './skipped-rows.ts';
import { lookAtUploadsWait } from './uploads-wait.ts';
import { withRetryBudget } from './with-retry-budget.ts';

export interface PassOptions {
  /** Confirms exactly the changes that are pending now, or reverts them. A dry run reverts nothing. */
  readonly pending: 'keep' | 'confirm' | 'undo';
  /** Plans only. Changes nothing on either side, nor the permissions of later passes. */
  readonly isDryRun: boolean;
  /** Missing: as configured for the folder. */
  readonly maxChanges?: number;
  /**
   * Treatment of files modified within the last two seconds. True: wait, read them again, then take them as they are,
   * for use without file system events. False: leave files that have just gone missing to the next pass, see
   * `isUnsettled`.
   */
  readonly isSettling: boolean;
  /** Reads only folders with events since they were last read. */
  readonly isOnlyTouched?: boolean;
  /** A feed page that was already read. */
  readonly reported?: ReportedPage | null;
}

export interface PassOutcome extends PassTally {
  readonly cursor: number;
  readonly head: number;
  readonly skipped: readonly SkippedPath[];
  readonly holds: readonly Hold[];
  /** Both sides match, apart from skipped and pending changes. */
  readonly isInSync: boolean;
  /** Some local file was modified too recently. Run another pass in two seconds. */
  readonly isUnsettled: boolean;
  /** Folders of the last scan by disk path. */
  readonly folders: ReadonlyMap<DiskPath, ObjectId | null>;
  /** Duration of a full scan; null if only parts were read. */
  readonly wholeScanMs: number | null;
  /** Time until the next useful try of a waiting path; null: only after a change. */
  readonly retryInMs: number | null;
  /** The planned operations, for a dry run. */
  readonly planned: SyncPlan['operations'];
  readonly ms: number;
}

/** Delay before recently modified files are read again, and the maximum number of such rereads. */
const settleMs = 2000;
const settleTriesMax = 5;
/** Limit of rounds of questions before one plan. */
const questionRoundsMax = 4;

/**
 * Syncs both sides: observes, plans and executes until the plan is empty or the limit of rounds is reached. The next
 * pass continues with the rest. Ending here or at any other point loses nothing.
 */
export async function runPass(engine: Engine, options: PassOptions): Promise<PassOutcome> {
  const { memory, pace } = engine;
  const startedAt = pace.now();
  const tally = emptyTally();
  const versions = new Map<WorkspacePath, readonly KnownVersion[]>();
  engine.rejectedPaths.clear();
  engine.missed.clear();
  if (options.isOnlyTouched !== true) engine.view.touchAll();
  dropPassed(engine);
  await memory.commit([{ table: 'meta', values: { endedCleanly: false } }], 'grouped');
  if (memory.state.meta.phase === null) await beginFirstContact(engine);

  let plan: SyncPlan = { operations: [], holds: [], skipped: [], ask: [] };
  let scan: FolderScan | null = null;
  let isInSync = false;
  let wholeScanMs: number | null = null;
  let settlesAt: number | null = null;
  let audit: Audit | null = null;
  let hasFetchedRules = false;
  let hasTakenHeads = false;
  let rounds = passRoundsMax;
  for (let round = 0; round < rounds && !engine.signal.aborted; round += 1) {
    if (round === 0 && isAuditDue(engine)) audit = await beginAudit(engine, options.isSettling);
    // A page requested before the list lacks later changes.
    const reported = round === 0 && audit === null ? options.reported : null;
    let reading = await readFeed(engine, reported, audit?.spokenOf);
    if (reading === 'back_in_time') {
      await followBackInTime(engine);
      audit = await beginAudit(engine, options.isSettling);
      reading = await readFeed(engine, null, audit?.spokenOf);
    }
    if (round === 0) {
      await recover(engine, { audit, mayChangeDisk: !options.isDryRun });
      if (options.pending === 'confirm' && !options.isDryRun) await confirmHolds(engine);
      if (options.pending === 'undo' && !options.isDryRun) await undoHolds(engine, tally);
    } else await recoverIntents(engine);
    // The list must be judged before any decision, and judging it needs a feed read to its head.
    if (audit !== null && reading !== 'caught_up') continue;
    const hold = await holdOf(engine, audit);
    audit = null;
    if (hold !== null) {
      plan = { ...plan, operations: [], holds: [hold] };
      break;
    }
    await lookAtUploadsWait(engine, options.isSettling && round === 0);
    await checkReplaced(engine, tally, false);
    const scanAt = pace.now();
    scan = await scanSettled(engine, options.isSettling && round === 0);
    // A plain sync has no events. A file missing from a folder that was read again may now be in a folder that was not.
    if (options.isSettling && !scan.isWhole && isAnythingMissing(engine, scan)) {
      engine.view.touchAll();
      scan = await scanSettled(engine, true);
    }
    if (scan.isWhole) wholeScanMs = pace.now() - scanAt;
    const read = await readTrees(engine, scan, options.isSettling ? 'taken' : 'unsettled');
    const { trees, isTorn } = read;
    settlesAt = read.settlesAt;
    if (!options.isDryRun && !hasTakenHeads && (await takeHeadsAway(engine, trees, tally))) {
      hasTakenHeads = true;
      rounds += 1;
      continue;
    }
    plan = await planWithFacts(engine, trees, scan, versions, options);
    if (options.isDryRun) break;
    // The rules are being written. Half-written rules could send a file that the full rules keep here.
    if (!isSameRules(scan.rules, await readActiveRules(engine))) continue;
    const isNothingToDo = plan.operations.length === 0 && plan.ask.length === 0;
    // The state of paths with unconfirmed changes is unknown until the feed is read again. The state of renamed paths
    // is unknown until the next scan.
    isInSync = isNothingToDo && engine.awaitingEcho.size === 0 && !isTorn;
    if (isInSync) {
      await memory.commit(goneCopies(engine, scan), 'grouped');
      break;
    }
    const rules = hasFetchedRules ? [] : sharedRulesComing(plan.operations);
    if (rules.length > 0) {
      hasFetchedRules = true;
      rounds += 1;
    }
    await executePlan(engine, rules.length > 0 ? rules : plan.operations, tally);
    versions.clear();
  }
  // A path that no longer waits was completed or is no longer planned.
  for (const path of engine.failedTries.keys())
    if (!engine.waiting.has(path)) engine.failedTries.delete(path);
  await checkReplaced(engine, tally, options.isSettling);
  if (isInSync && !options.isDryRun) await becomeLive(engine);
  await flushPlaced(engine);
  if (!options.isDryRun) await pruneTrash(engine);
  const isPending = plan.holds.some(({ kind }) => kind === 'list_disagrees');
  const skipped =
    options.isDryRun || isPending || scan === null ? plan.skipped : await rememberSkipped(engine, plan, scan);
  if (!options.isDryRun) {
    await rememberHolds(engine, plan.holds);
    const values = { lastCommitAt: pace.wallNow() };
    await memory.commit([{ table: 'meta', values }], 'grouped');
  }
  await engine.store.flush();
  const { cursor } = memory.state.meta;
  const { holds, operations: planned } = plan;
  const ms = Math.round(pace.now() - startedAt);
  const folders = new Map([...(scan?.folders.values() ?? [])].map((each) => [each.diskPath, each.object]));
  const isUnsettled = scan?.hasRecent === true && !options.isSettling;
  const seen = {
    isUnsettled,
    folders,
    wholeScanMs,
    retryInMs: retryInMs(engine, settlesAt, skipped),
  };
  return { ...tally, cursor, head: cursor, skipped, holds, isInSync, ...seen, planned, ms };
}

/** The pending confirmation of this audit, or of the last one if its retry is not due yet. */
async function holdOf(engine: Engine, audit: Audit | null): Promise<Hold | null> {
  if (audit !== null) return endAudit(engine, audit);
  return isAuditDue(engine) ? (engine.memory.state.holds.get('list_disagrees') ?? null) : null;
}

function retryInMs(
  { pace, uploadsWait, waiting }: Engine,
  settlesAt: number | null,
  skipped: readonly SkippedPath[],
): number | null {
  const now = pace.now();
  const times = [...waiting.values()].flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt - now]));
  const isUpload = (reason: string): boolean =>
    reason === uploadsWait?.reason || reason === 'conflict_unsaved';
  if (uploadsWait !== null && skipped.some(({ reason }) => isUpload(reason)))
    times.push(uploadsWait.dueAt - now);
  // It may have passed since the files were compared.
  if (settlesAt !== null) times.push(settlesAt - now);
  return times.length === 0 ? null : Math.max(0, Math.min(...times));
}

/** Records that both sides match. Ends distrust, except for files that could not be read or downloaded yet. */
async function becomeLive(engine: Engine): Promise<void> {
  const { memory, untrusted } = engine;
  if (untrusted.size > 0) await dropSettledDoubts(engine);
  engine.lostPower &&= untrusted.size > 0;
  const { meta } = memory.state;
  // Keeps the previous boot id, which shows the next process that the machine stopped.
  const bootId = engine.lostPower ? meta.bootId : engine.bootId;
  if (meta.phase === 'live' && meta.bootId === bootId) return;
  await memory.commit([{ table: 'meta', values: { phase: 'live', bootId } }], 'grouped');
}

/** Files of the base were read in place. A missing one may have been renamed and is distrusted at its new path. */
async function dropSettledDoubts(engine: Engine): Promise<void> {
  const { memory, untrusted } = engine;
  const { base, remote } = memory.state;
  const rules = await readActiveRules(engine);
  for (const path of untrusted) {
    const row = base.get(path);
    const isOpen = row === undefined ? remote.get(path)?.kind === 'file' : row.stamp !== null;
    if (!isOpen || rules.isIgnored(path, 'file')) untrusted.delete(path);
  }
}

async function scanSettled(engine: Engine, isSettling: boolean): Promise<FolderScan> {
  const { folder, memory, pace, settling, signal, view } = engine;
  for (let tries = 0; ; tries += 1) {
    engine.recent.clear();
    const scan = await view.scan(folder, await readActiveRules(engine), memory.state.base, signal);
    const isStill =
      !scan.hasRecent && settling.look(scan, memory.state.base, pace.now(), isSettling).size === 0;
    if (!isSettling || isStill || tries === settleTriesMax || signal.aborted) return scan;
    await pace.sleep(settleMs, signal);
  }
}

function isAnythingMissing({ memory }: Engine, { files, folders, obstacles, rules }: FolderScan): boolean {
  const { base, folders: baseFolders } = memory.state;
  for (const [path, { stamp }] of base) {
    if (stamp === null || files.has(path) || obstacles.has(path)) continue;
    if (!rules.isIgnored(path, 'file')) return true;
  }
  for (const path of baseFolders.keys()) {
    if (!folders.has(path) && !obstacles.has(path) && !rules.isIgnored(path, 'folder')) return true;
  }
  return false;
}

async function readTrees(
  engine: Engine,
  scan: FolderScan,
  youngMissing: 'taken' | 'unsettled',
): Promise<{ readonly trees: SyncTrees } & Pick<LocalTrees, 'isTorn' | 'settlesAt'>> {
  engine.spellings.clear();
  engine.respelled.clear();
  engine.folderObjects.clear();
  for (const [path, { diskPath, object }] of scan.folders) {
    engine.folderObjects.set(path, object);
    if (diskPath !== path) engine.spellings.set(path, diskPath);
  }
  const { local, localFolders, isTorn, settlesAt } = await compareScan(engine, scan, youngMissing);
  const { base, folders, remote } = engine.memory.state;
  const { ignored } = scan;
  return { trees: { base, baseFolders: folders, local, localFolders, ignored, remote }, isTorn, settlesAt };
}

/** Paths of new local files that are unchanged since the server stored them as a conflicted copy. */
function findLost({ memory }: Engine, { base, local }: SyncTrees): ReadonlySet<WorkspacePath> {
  const lost = new Set<WorkspacePath>();
  for (const intent of memory.state.intents.values()) {
    const here = local.get(intent.path);
    if (here?.kind === 'file' && !base.has(intent.path) && isKept(intent, here)) lost.add(intent.path);
  }
  return lost;
}

async function planWithFacts(
  engine: Engine,
  trees: SyncTrees,
  scan: FolderScan,
  versions: Map<WorkspacePath, readonly KnownVersion[]>,
  options: PassOptions,
): Promise<SyncPlan> {
  const { facts, settings, awaitingEcho } = engine;
  const { rules } = scan;
  const unaccepted = await findNewlyUnignored(engine, rules, trees);
  const waiting = new Map([...engine.waiting, ...unaccepted]);
  const syncFacts: SyncFacts = {
    phase: engine.memory.state.meta.phase ?? 'first_contact',
    traits: engine.traits.names,
    isIgnored: (path) => rules.isIgnored(path, 'file'),
    isHealthy: scan.isHealthy,
    awaitingEcho,
    waiting,
    lost: findLost(engine, trees),
    uploadsWait: engine.uploadsWait?.reason ?? null,
    maxFileBytes: facts.maxFileBytes,
    maxChanges: options.maxChanges ?? settings.maxChanges,
    confirmed: confirmedMembers(engine, options.pending === 'confirm'),
    versions,
    hashes: new Map(),
    merge: settings.merge,
    copyLabel: { now: engine.pace.wallNow(), writer: ownLabel(engine) },
  };
  for (let round = 0; ; round += 1) {
    const plan = planSync(trees, syncFacts);
    if (plan.ask.length === 0 || round === questionRoundsMax) return plan;
    for (const question of plan.ask) await lookUp(engine, question, versions);
  }
}

async function lookUp(
  engine: Engine,
  { kind, path }: Question,
  versions: Map<WorkspacePath, readonly KnownVersion[]>,
): Promise<void> {
  const { memory, remote, signal } = engine;
  if (kind === 'versions') {
    versions.set(path, await withRetryBudget(engine, () => remote.listVersions(path, signal)));
    return;
  }
  const known = memory.state.remote.get(path);
  const head = await withRetryBudget(engine, () => remote.head(path, signal));
  if (head.kind !== 'file') {
    // The feed, which is read next, reports what happened. If the feed still has the path, it is shown as missing on
    // the server.
    if (engine.missed.has(path)) leaveOut(engine, path, 'not_on_server', null);
    engine.missed.add(path);
    engine.awaitingEcho.add(path);
    return;
  }
  if (known?.kind !== 'file') return;
  const { version, hash, sizeBytes, contentType } = head;
  const row = { ...known, version, hash, sizeBytes, contentType };
  const isDifferent = differsFromBase(row, memory.state.base.get(path) ?? null);
  await memory.commit([{ table: 'remote', path, row: isDifferent ? row : null }], 'grouped');
}
