import { createStoaClient, StoaApiError, type StoaClient, StoaConnectionError } from '@stoa/client';
import { isSkippedByDesign, listedMax } from '@stoa/core';
import { namedSend } from '../config/connect.ts';
import { readFolderSource, type Source } from '../config/source.ts';
import { isWorkedOn, readIgnoreRules, readState } from '../create-engine.ts';
import type { ConflictRow, HoldRow, SkippedRow, SyncMeta } from '../engine/ports/state-rows.ts';
import type { StateCounts } from '../engine/ports/state-store.ts';
import { exitCodes } from '../output/exit-codes.ts';
import type { Host } from '../output/host.ts';
import { counted, shownDuration } from '../output/human.ts';
import type { Output } from '../output/output.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand } from './context.ts';
import { wholeNumber } from './parse-words.ts';
import { shownFolder } from './shown-folder.ts';
import { skippedSummary } from './skipped-words.ts';
import { changingText } from './sync-events.ts';
import { pendingManyWords, printSkipped } from './sync-report.ts';

interface Flags {
  readonly exitCode?: boolean;
  readonly wait?: number | true;
}

type State = 'in_sync' | 'working' | 'behind' | 'held' | 'offline' | 'stopped' | 'never_synced';

interface Status {
  readonly folder: string;
  readonly server: string;
  readonly workspaceId: string;
  readonly workspaceName: string | null;
  readonly state: State;
  readonly cursor: number;
  readonly head: number | null;
  /** ISO 8601 time of the server's last response to a sync. */
  readonly lastContact: string | null;
  readonly watcher: { readonly pid: number; readonly mode: 'events' | 'polling' } | null;
  /** Numbers of known differences that are not applied yet. */
  readonly pending: { readonly up: number; readonly down: number };
  readonly conflicts: number;
  readonly leftOut: number;
  /** Files that are sent once they stop changing, or at this time at the latest (ISO 8601). */
  readonly changing: readonly { readonly path: string; readonly sentBy: string | null }[];
  readonly holds: number;
  /** Number of ignore rules beyond the limits. They have no effect. */
  readonly rulesPassedOver: number;
  readonly readOnly: boolean | null;
  readonly quota: { readonly usedBytes: number; readonly limitBytes: number | null } | null;
}

interface Kept {
  readonly meta: SyncMeta;
  readonly counts: StateCounts;
  readonly changing: readonly SkippedRow[];
}

const askMs = 5000;
const usualWaitSeconds = 60;
const lookEveryMs = 500;

export const addStatus: AddCommand = ({ command, act }) =>
  command('status', 'show sync status, as of the last sync')
    .option('--exit-code', 'exit with 0 in sync, with 1 otherwise')
    .option('--wait [seconds]', 'wait until in sync, at most 60 seconds by default', wholeNumber(0))
    .action(
      act(async ({ host, output, dir }, flags: Flags) => {
        const source = await readFolderSource(host.cwd, dir);
        const seconds = flags.wait === true ? usualWaitSeconds : (flags.wait ?? 0);
        const until = host.pace.now() + seconds * 1000;
        let status = await readStatus(host, source);
        while (status.state !== 'in_sync' && host.pace.now() < until && !host.signal.aborted) {
          await host.pace.sleep(lookEveryMs, host.signal);
          status = await readStatus(host, source);
        }
        await report(host, output, source.folder, status);
        const asks = flags.exitCode === true || flags.wait !== undefined;
        return asks && status.state !== 'in_sync' ? exitCodes.failed : exitCodes.done;
      }),
    );

async function readStatus(host: Host, source: Source & { readonly kind: 'folder' }): Promise<Status> {
  const { folder, apiBase, workspaceId } = source;
  const kept = await readKept(folder);
  const there = await askServer(host, source);
  const counts = kept?.counts;
  const { passedOver } = await readIgnoreRules(folder);
  const cursor = kept?.meta.cursor ?? 0;
  const isWorking = isWorkedOn(folder);
  const worker = isWorking ? (kept?.meta.worker ?? null) : null;
  const changing = kept?.changing ?? [];
  const pending = { up: (counts?.pending.up ?? 0) + changing.length, down: counts?.pending.down ?? 0 };
  const lastContactAt = kept?.meta.lastContactAt ?? kept?.meta.lastCommitAt ?? null;
  return {
    folder,
    server: apiBase,
    workspaceId,
    workspaceName: there.kind === 'answered' ? there.name : null,
    state: stateOf(kept, there, isWorking),
    cursor,
    head: there.kind === 'answered' ? there.head : null,
    lastContact: lastContactAt === null ? null : new Date(lastContactAt).toISOString(),
    watcher: worker === null || worker.mode === 'once' ? null : { pid: worker.pid, mode: worker.mode },
    pending,
    conflicts: counts?.conflicts ?? 0,
    leftOut: skippedCounts(counts).reduce((sum, { count }) => sum + count, 0),
    changing: changing.map(({ path, retryAt }) => ({
      path,
      sentBy: retryAt === null ? null : new Date(retryAt).toISOString(),
    })),
    holds: counts?.holds ?? 0,
    rulesPassedOver: passedOver.length,
    readOnly: there.kind === 'answered' ? there.readOnly : null,
    quota: there.kind === 'answered' ? there.quota : null,
  };
}

/** Omits ignored and frozen paths, which are skipped as configured. */
function skippedCounts(counts: StateCounts | undefined): StateCounts['skipped'] {
  return (counts?.skipped ?? []).filter(({ reason }) => reason !== 'ignored' && reason !== 'frozen');
}

/** `working`: a process works on the folder and has work left. `behind`: there is work left and no process. */
function stateOf(kept: Kept | null, there: There, isWorking: boolean): State {
  if (there.kind === 'refused') return 'stopped';
  const isNew = kept === null || kept.meta.phase === null;
  if (isNew) return !isWorking ? 'never_synced' : there.kind === 'answered' ? 'working' : 'offline';
  const { counts, meta } = kept;
  const isPending = counts.holds > 0 || counts.skipped.some(({ reason }) => reason === 'newly_ignored');
  if (isPending) return 'held';
  if (there.kind !== 'answered') return 'offline';
  // Skipped paths are shown separately. As in the result of a sync, the rest is in sync. A file that keeps changing is not.
  const { up, down, intents } = counts.pending;
  const differs = up + down + intents + kept.changing.length > 0;
  if (differs || meta.phase !== 'live' || there.head > meta.cursor) return isWorking ? 'working' : 'behind';
  return 'in_sync';
}

async function readKept(folder: string): Promise<Kept | null> {
  return readState(folder, async (state) => {
    const counts = await state.readCounts();
    const isAnyChanging = counts.skipped.some(({ reason }) => reason === 'changing');
    const skipped = isAnyChanging ? await state.listLeftOut(listedMax) : [];
    const changing = skipped.filter(({ reason }) => reason === 'changing');
    return { meta: await state.readMeta(), counts, changing };
  });
}

type There =
  | {
      readonly kind: 'answered';
      readonly name: string;
      readonly head: number;
      readonly readOnly: boolean;
      readonly quota: Status['quota'];
    }
  | { readonly kind: 'refused' | 'away' };

async function askServer(
  host: Host,
  { apiBase, apiKey, workspaceId }: Source & { readonly kind: 'folder' },
): Promise<There> {
  const client: StoaClient = createStoaClient({
    baseUrl: apiBase,
    apiKey: apiKey.reveal(),
    fetch: namedSend(host),
    timeoutMs: askMs,
  });
  const options = { signal: host.signal };
  try {
    const [workspace, usage, page] = await Promise.all([
      client.readWorkspace(workspaceId, options),
      client.usage(workspaceId, options),
      client.readChanges(workspaceId, { sinceSeq: 0, limit: 0 }, options),
    ]);
    const { usedBytes, limitBytes, billing } = usage;
    return {
      kind: 'answered',
      name: workspace.name,
      head: page.head,
      readOnly: billing.status === 'lapsed',
      quota: { usedBytes, limitBytes },
    };
  } catch (error) {
    if (error instanceof StoaApiError && [401, 403, 404].includes(error.status)) return { kind: 'refused' };
    if (error instanceof StoaApiError || error instanceof StoaConnectionError) return { kind: 'away' };
    throw error;
  }
}

const messages: Readonly<Record<State, (status: Status) => string>> = {
  in_sync: ({ cursor }) => `In sync at change ${cursor}`,
  working: ({ pending, cursor, head }) =>
    pending.up + pending.down > 0
      ? `Working: ${pending.up} to send, ${pending.down} to fetch`
      : `Working: synced to change ${cursor}${head === null ? '' : ` of ${head}`}`,
  behind: ({ cursor, head }) => `Behind: synced to change ${cursor}${head === null ? '' : ` of ${head}`}`,
  held: () => 'Changes wait for your confirmation',
  offline: ({ cursor }) => `The server does not respond; synced to change ${cursor}`,
  stopped: () => 'The server rejects the key: link the folder again',
  never_synced: () => 'Never synced: run `stoa sync`',
};

async function report(host: Host, output: Output, folder: string, status: Status): Promise<void> {
  const lists = output.isVerbose ? await readLists(folder) : null;
  output.data({ ...status, ...(lists === null ? {} : { lists }) });
  const {
    workspaceName,
    workspaceId,
    server,
    state,
    lastContact,
    watcher,
    conflicts,
    leftOut: skipped,
    holds,
  } = status;
  const home = shownFolder(host.home, folder);
  output.line(
    `${output.paint('bold', shownText(workspaceName ?? workspaceId))} · ${shownText(server)} · ${home}`,
  );
  // For states only, not for calls to action.
  const isFound = state !== 'held' && state !== 'stopped' && lastContact !== null;
  const ago = isFound ? `, ${shownDuration(Date.now() - Date.parse(lastContact))} ago` : '';
  const watching = watcher === null ? '' : ` Watching (process ${watcher.pid}).`;
  output.line(`${messages[state](status)}${ago}.${watching}`);
  if (watcher === null && !['stopped', 'working'].includes(state))
    output.note('Not watching: changes sync only while `stoa watch` runs, or when you run `stoa sync`.');
  if (holds > 0) output.line(`  ${counted(holds, 'hold').padEnd(22)} stoa sync --confirm, or --undo-held`);
  if (conflicts > 0)
    output.line(`  ${counted(conflicts, 'conflicted copy', 'conflicted copies').padEnd(22)} stoa conflicts`);
  if (skipped > 0) {
    const counts = (await readKept(folder))?.counts;
    const summary = skippedSummary(skippedCounts(counts).map(({ reason, count }) => [reason, count]));
    output.line(`  ${`${skipped} left out`.padEnd(22)} ${summary}    stoa status --verbose`);
  }
  for (const { path, sentBy } of lists === null ? status.changing : []) {
    output.line(`  ${changingText({ path, retryAt: sentBy === null ? null : Date.parse(sentBy) })}`);
  }
  if (status.rulesPassedOver > 0)
    output.line(`  ${counted(status.rulesPassedOver, 'ignore rule').padEnd(22)} without effect: stoa ignore`);
  if (status.readOnly === true) output.line('  The workspace is read-only: what you change here waits.');
  for (const { kind, members } of lists?.holds ?? []) {
    output.line(`held: ${pendingManyWords[kind] ?? kind}`);
    for (const { path } of members.slice(0, listedMax)) output.line(`  ${shownText(path)}`);
  }
  for (const row of lists?.leftOut ?? []) printSkipped(output, row);
}

interface Lists {
  readonly holds: readonly HoldRow[];
  readonly conflicts: readonly ConflictRow[];
  readonly leftOut: readonly SkippedRow[];
}

async function readLists(folder: string): Promise<Lists | null> {
  const last = ({ reason }: SkippedRow) => Number(isSkippedByDesign(reason));
  return readState(folder, async (state) => ({
    holds: await state.listHolds(),
    conflicts: await state.listConflicts(listedMax),
    leftOut: (await state.listLeftOut(listedMax)).toSorted((one, other) => last(one) - last(other)),
  }));
}
