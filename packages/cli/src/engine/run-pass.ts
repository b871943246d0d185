// docs/sync.md
import {
  type Hold,
  type KnownVersion,
  type LeftOut,
  type ObjectId,
  passRoundsMax,
  planSync,
  type Question,
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
import { checkDisplaced } from './execute/keep-aside.ts';
import { emptyTally, leaveOut, type PassTally } from './execute/pass-tally.ts';
import { pruneTrash } from './execute/prune-trash.ts';
import { confirmedMembers, confirmHolds, rememberHolds, undoHolds } from './holds.ts';
import { dropPassed, rememberLeftOut } from './left-out-rows.ts';
import { type Audit, beginAudit, endAudit, followBackInTime, isAuditDue } from './observe/audit.ts';
import { compareScan } from './observe/compare-scan.ts';
import { beginFirstContact } from './observe/first-contact.ts';
import { type FolderScan, isSameRules } from './observe/folder-view.ts';
import { findNewlyUnignored, sharedRulesComing } from './observe/newly-unignored.ts';
import { differsFromBase, readFeed, type ToldPage } from './observe/read-feed.ts';
import type { DiskPath } from './ports/local-folder.ts';
import { recover, recoverIntents } from './recover/recover.ts';
import { lookAtUploadsWait } from './uploads-wait.ts';
import { withPatience } from './with-patience.ts';

export interface PassOptions {
  /** Lets exactly what is held now through, or takes it back. A dry run takes nothing back. */
  readonly held: 'keep' | 'confirm' | 'undo';
  /** Plans, and changes nothing on either side, nor what later passes are allowed to do. */
  readonly isDryRun: boolean;
  /** Null: never held for number or share. Left out: as the folder's configuration says. */
  readonly maxDeletes?: number | null;
  /**
   * What was touched within the last two seconds: true: it is looked at again after that time, then taken as it is, where
   * no events tell of writing. False: what is only just missing is left for the pass that follows, see `isUnsettled`.
   */
  readonly isSettling: boolean;
  /** Reads only the folders in which something happened since they were last read, as far as events told. */
  readonly isOnlyTouched?: boolean;
  /** What the feed told of already. */
  readonly told?: ToldPage | null;
}

export interface PassOutcome extends PassTally {
  readonly cursor: number;
  readonly head: number;
  readonly leftOut: readonly LeftOut[];
  readonly holds: readonly Hold[];
  /** Nothing differs but what is left out or held. */
  readonly isInSync: boolean;
  /** Something here was too young to be taken: look again in two seconds. */
  readonly isUnsettled: boolean;
  /** Folders as the last scan saw them, as the disk spells them. */
  readonly folders: ReadonlyMap<DiskPath, ObjectId | null>;
  /** How long reading all of the folder took; null where only some of it was read. */
  readonly wholeScanMs: number | null;
  /** When a path that waits is worth another try; null: by nothing but changes. */
  readonly retryInMs: number | null;
  /** Of a dry run: what would be done. */
  readonly planned: SyncPlan['operations'];
  readonly ms: number;
}

/** What was just touched is looked at again after this, this often at most. */
const settleMs = 2000;
const settleTriesMax = 5;
/** Rounds of questions before one plan. */
const questionRoundsMax = 4;

/**
 * Makes both sides the same: observes, plans and does, until the plan is empty or the rounds are used up. What cannot be
 * done now is left for the next pass; nothing is lost by ending here or anywhere.
 */
export async function runPass(engine: Engine, options: PassOptions): Promise<PassOutcome> {
  const { memory, pace } = engine;
  const startedAt = pace.now();
  const tally = emptyTally();
  const versions = new Map<WorkspacePath, readonly KnownVersion[]>();
  engine.refusedPlaces.clear();
  engine.missed.clear();
  if (options.isOnlyTouched !== true) engine.view.touchAll();
  dropPassed(engine);
  await memory.commit([{ table: 'meta', values: { endedCleanly: false } }], 'grouped');
  if (memory.state.meta.phase === null) await beginFirstContact(engine);

  let plan: SyncPlan = { operations: [], holds: [], leftOut: [], ask: [] };
  let scan: FolderScan | null = null;
  let isInSync = false;
  let wholeScanMs: number | null = null;
  let audit: Audit | null = null;
  let hasFetchedRules = false;
  let rounds = passRoundsMax;
  for (let round = 0; round < rounds && !engine.signal.aborted; round += 1) {
    if (round === 0 && isAuditDue(engine)) audit = await beginAudit(engine, options.isSettling);
    // A page that was asked for before the list says nothing of what happened since.
    const told = round === 0 && audit === null ? options.told : null;
    let reading = await readFeed(engine, told, audit?.spokenOf);
    if (reading === 'back_in_time') {
      await followBackInTime(engine);
      audit = await beginAudit(engine, options.isSettling);
      reading = await readFeed(engine, null, audit?.spokenOf);
    }
    if (round === 0) {
      await recover(engine, { audit, mayChangeDisk: !options.isDryRun });
      if (options.held === 'confirm' && !options.isDryRun) await confirmHolds(engine);
      if (options.held === 'undo' && !options.isDryRun) await undoHolds(engine, tally);
    } else await recoverIntents(engine);
    // Nothing is decided before the list was judged, and it is judged by the feed that was read to its head.
    if (audit !== null && reading !== 'caught_up') continue;
    const hold = await holdOf(engine, audit);
    audit = null;
    if (hold !== null) {
      plan = { ...plan, operations: [], holds: [hold] };
      break;
    }
    await lookAtUploadsWait(engine, options.isSettling && round === 0);
    await checkDisplaced(engine, tally, false);
    const scanAt = pace.now();
    scan = await scanSettled(engine, options.isSettling && round === 0);
    // No events tell of what happens beside a sync: what left a folder that was read again may be in one that was not.
    if (options.isSettling && !scan.isWhole && isAnythingMissing(engine, scan)) {
      engine.view.touchAll();
      scan = await scanSettled(engine, true);
    }
    if (scan.isWhole) wholeScanMs = pace.now() - scanAt;
    const { trees, isTorn } = await readTrees(engine, scan, options.isSettling ? 'taken' : 'unsettled');
    plan = await planWithAnswers(engine, trees, scan, versions, options);
    if (options.isDryRun) break;
    // They are being written: what was read by half of them would be sent although the whole keeps it here.
    if (!isSameRules(scan.rules, await engine.folder.readIgnoreRules())) continue;
    const isNothingToDo = plan.operations.length === 0 && plan.ask.length === 0;
    // Of what is fenced nothing is known before the feed is read again, nor of what was renamed before the next scan.
    isInSync = isNothingToDo && engine.fenced.size === 0 && !isTorn;
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
  // A path that does not wait any more was done, or is wanted no more.
  for (const path of engine.failedTries.keys())
    if (!engine.waiting.has(path)) engine.failedTries.delete(path);
  await checkDisplaced(engine, tally, options.isSettling);
  if (isInSync && !options.isDryRun) await becomeLive(engine);
  await flushPlaced(engine);
  if (!options.isDryRun) await pruneTrash(engine);
  const isHeld = plan.holds.some(({ kind }) => kind === 'list_disagrees');
  const leftOut =
    options.isDryRun || isHeld || scan === null ? plan.leftOut : await rememberLeftOut(engine, plan, scan);
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
    retryInMs: retryInMs(engine, options.isSettling ? null : scan, leftOut),
  };
  return { ...tally, cursor, head: cursor, leftOut, holds, isInSync, ...seen, planned, ms };
}

/** What stays held from the last audit, where it is too soon for another, or what this one found. */
async function holdOf(engine: Engine, audit: Audit | null): Promise<Hold | null> {
  if (audit !== null) return endAudit(engine, audit);
  return isAuditDue(engine) ? (engine.memory.state.holds.get('list_disagrees') ?? null) : null;
}

function retryInMs(
  { memory, pace, settling, uploadsWait, waiting }: Engine,
  scan: FolderScan | null,
  leftOut: readonly LeftOut[],
): number | null {
  const now = pace.now();
  const times = [...waiting.values()].flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt - now]));
  const isUpload = (reason: string): boolean =>
    reason === uploadsWait?.reason || reason === 'conflict_unsaved';
  if (uploadsWait !== null && leftOut.some(({ reason }) => isUpload(reason)))
    times.push(uploadsWait.dueAt - now);
  if (scan !== null) times.push(...settling.look(scan, memory.state.base, now).values());
  return times.length === 0 ? null : Math.max(0, Math.min(...times));
}

/** Both sides are alike: what was doubted is settled, but for files that nobody could read or fetch again yet. */
async function becomeLive(engine: Engine): Promise<void> {
  const { memory, suspects } = engine;
  if (suspects.size > 0) await dropSettledDoubts(engine);
  engine.lostPower &&= suspects.size > 0;
  const { meta } = memory.state;
  // The boot before is what tells the next process that the machine stopped.
  const bootId = engine.lostPower ? meta.bootId : engine.bootId;
  if (meta.phase === 'live' && meta.bootId === bootId) return;
  await memory.commit([{ table: 'meta', values: { phase: 'live', bootId } }], 'grouped');
}

/** Files of the base were read where they are; one that is missing may have been renamed, and is doubted at its new place. */
async function dropSettledDoubts({ folder, memory, suspects }: Engine): Promise<void> {
  const { base, remote } = memory.state;
  const rules = await folder.readIgnoreRules();
  for (const path of suspects) {
    const row = base.get(path);
    const isOpen = row === undefined ? remote.get(path)?.kind === 'file' : row.stamp !== null;
    if (!isOpen || rules.isIgnored(path, 'file')) suspects.delete(path);
  }
}

async function scanSettled(engine: Engine, isSettling: boolean): Promise<FolderScan> {
  const { folder, memory, pace, settling, signal, view } = engine;
  for (let tries = 0; ; tries += 1) {
    engine.recent.clear();
    const scan = await view.scan(folder, await folder.readIgnoreRules(), memory.state.base);
    const isStill = !scan.hasRecent && settling.look(scan, memory.state.base, pace.now()).size === 0;
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
): Promise<{ readonly trees: SyncTrees; readonly isTorn: boolean }> {
  engine.spellings.clear();
  engine.respelled.clear();
  engine.folderObjects.clear();
  for (const [path, { diskPath, object }] of scan.folders) {
    engine.folderObjects.set(path, object);
    if (diskPath !== path) engine.spellings.set(path, diskPath);
  }
  const { local, localFolders, isTorn } = await compareScan(engine, scan, youngMissing);
  const { base, folders, remote } = engine.memory.state;
  const { ignored } = scan;
  return { trees: { base, baseFolders: folders, local, localFolders, ignored, remote }, isTorn };
}

/** Where a new file stands here as it was when the server kept it as a copy. */
function findLost({ memory }: Engine, { base, local }: SyncTrees): ReadonlySet<WorkspacePath> {
  const lost = new Set<WorkspacePath>();
  for (const intent of memory.state.intents.values()) {
    const here = local.get(intent.path);
    if (here?.kind === 'file' && !base.has(intent.path) && isKept(intent, here)) lost.add(intent.path);
  }
  return lost;
}

async function planWithAnswers(
  engine: Engine,
  trees: SyncTrees,
  scan: FolderScan,
  versions: Map<WorkspacePath, readonly KnownVersion[]>,
  options: PassOptions,
): Promise<SyncPlan> {
  const { facts, settings, fenced } = engine;
  const { rules } = scan;
  const unaccepted = await findNewlyUnignored(engine, rules, trees);
  const waiting = new Map([...engine.waiting, ...unaccepted]);
  const syncFacts: SyncFacts = {
    phase: engine.memory.state.meta.phase ?? 'first_contact',
    traits: engine.traits.names,
    isIgnored: (path) => rules.isIgnored(path, 'file'),
    isHealthy: scan.isHealthy,
    fenced,
    waiting,
    lost: findLost(engine, trees),
    uploadsWait: engine.uploadsWait?.reason ?? null,
    maxFileBytes: facts.maxFileBytes,
    maxDeletes: options.maxDeletes === undefined ? settings.maxDeletes : options.maxDeletes,
    confirmed: confirmedMembers(engine, options.held === 'confirm'),
    versions,
    hashes: new Map(),
    merge: settings.merge,
    copyLabel: { now: engine.pace.wallNow(), writer: ownLabel(engine) },
  };
  for (let round = 0; ; round += 1) {
    const plan = planSync(trees, syncFacts);
    if (plan.ask.length === 0 || round === questionRoundsMax) return plan;
    for (const question of plan.ask) await answer(engine, question, versions);
  }
}

async function answer(
  engine: Engine,
  { kind, path }: Question,
  versions: Map<WorkspacePath, readonly KnownVersion[]>,
): Promise<void> {
  const { memory, remote, signal } = engine;
  if (kind === 'versions') {
    versions.set(path, await withPatience(engine, () => remote.listVersions(path, signal)));
    return;
  }
  const known = memory.state.remote.get(path);
  const head = await withPatience(engine, () => remote.head(path, signal));
  if (head.kind !== 'file') {
    // The feed, which is read next, tells what became of it; what it speaks of still is shown as missing there.
    if (engine.missed.has(path)) leaveOut(engine, path, 'not_on_server', null);
    engine.missed.add(path);
    engine.fenced.add(path);
    return;
  }
  if (known?.kind !== 'file') return;
  const { version, hash, sizeBytes, contentType } = head;
  const row = { ...known, version, hash, sizeBytes, contentType };
  const isDifferent = differsFromBase(row, memory.state.base.get(path) ?? null);
  await memory.commit([{ table: 'remote', path, row: isDifferent ? row : null }], 'grouped');
}
