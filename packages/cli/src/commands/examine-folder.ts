import { createStoaClient, StoaApiError, StoaConnectionError } from '@stoa/client';
import { foldersAbove, hasJumped, type WorkspacePath } from '@stoa/core';
import { namedSend } from '../config/connect.ts';
import { listReadableByOthers, readFolderConfig } from '../config/folder-config.ts';
import { readFolderSource } from '../config/source.ts';
import {
  type FolderFacts,
  isWorkedOn,
  listWorkspace,
  raiseWatches,
  readFolderFacts,
  readState,
} from '../create-engine.ts';
import type { ListedFile } from '../engine/ports/remote-workspace.ts';
import type { SyncMeta } from '../engine/ports/state-rows.ts';
import type { StateCounts, StateReader } from '../engine/ports/state-store.ts';
import type { Host } from '../output/host.ts';
import { counted } from '../output/human.ts';
import { shownText } from '../output/shown-text.ts';
import { failureOf } from './failure-of.ts';
import { shownFolder } from './shown-folder.ts';

type Source = Awaited<ReturnType<typeof readFolderSource>>;

/** Fixes that `doctor --fix` can apply. None removes or changes a file of the user. */
export type Remedy =
  | { readonly kind: 'close' }
  | { readonly kind: 'put_aside' }
  | { readonly kind: 'resync' }
  | { readonly kind: 'drop_staged'; readonly ids: readonly string[] };

export interface Finding {
  readonly what: string;
  readonly isGood: boolean;
  /** Nothing is wrong, but another setting would be safer. */
  readonly isAdvice?: boolean;
  /** For users. Text from other users goes through `shownText`. */
  readonly detail: string;
  /** Null if there is nothing to fix, or only the user can fix it. */
  readonly remedy: Remedy | null;
}

interface Kept {
  readonly meta: SyncMeta;
  readonly counts: StateCounts;
  /** Number of folders with files of the base. */
  readonly folders: number;
}

/** Memory use and the list grow with the number of files. */
const manyFiles = 200_000;
const pathsAtOnce = 10_000;

const good = (what: string, detail: string): Finding => ({ what, isGood: true, detail, remedy: null });
const bad = (what: string, detail: string, remedy: Remedy | null = null): Finding => ({
  what,
  isGood: false,
  detail,
  remedy,
});

/** Checks the configuration. Without it nothing else can be checked. */
export async function examineConfig(host: Host, folder: string): Promise<readonly Finding[]> {
  const shown = shownFolder(host.home, folder);
  const open = await listReadableByOthers(folder);
  if (open.length > 0) {
    const reported = `${open.map(shownText).join(' and ')} can be read by other users of this machine`;
    return [good('folder', shown), bad('config', reported, { kind: 'close' })];
  }
  try {
    await readFolderConfig(folder);
    return [good('folder', `${shown}, configuration readable by you alone`)];
  } catch (error) {
    const { message, next } = failureOf(error);
    return [good('folder', shown), bad('config', shownText(`${message} ${next ?? ''}`))];
  }
}

/** Checks a folder and its server without changing either. */
export async function examineFolder(host: Host, folder: string): Promise<readonly Finding[]> {
  const source = await readFolderSource(folder, undefined);
  const facts = await readFolderFacts(folder);
  const isWorking = isWorkedOn(folder);
  const kept = facts.damage === null ? await readKept(folder) : null;
  const server = await askServer(host, source, kept?.meta ?? null);
  return [
    good('lock', isWorking ? 'another stoa works on it now' : 'free'),
    ...server.findings,
    ...lookAtState(facts, kept, isWorking),
    ...lookAtDisk(facts, kept, isWorking),
    ...(server.isCaughtUp && !isWorking ? await compareLists(host, source) : []),
    ...(await lookAtGit(host)),
  ];
}

const gitTimeoutMs = 5000;

/** Checks a git setting. Sync writes no git repository, but other ways of sharing files do. No findings without git. */
async function lookAtGit({ env, home }: Host): Promise<readonly Finding[]> {
  const { execFile } = await import('node:child_process');
  const setting = await new Promise<string | null>((resolve) => {
    const asked = ['config', '--global', '--get', 'safe.bareRepository'];
    const options = { env, cwd: home, timeout: gitTimeoutMs } as const;
    // Git exits with 1 if the setting is missing.
    execFile('git', asked, options, (error, response) =>
      resolve(error === null || error.code === 1 ? response.trim() : null),
    );
  });
  if (setting === null) return [];
  if (setting === 'explicit') return [good('git', 'uses a bare repository only where it is named')];
  const reported =
    'runs commands from any folder with HEAD, objects and refs in it; safer: git config --global safe.bareRepository explicit';
  return [{ ...good('git', reported), isAdvice: true }];
}

async function readKept(folder: string): Promise<Kept | null> {
  return readState(folder, async (state) => ({
    meta: await state.readMeta(),
    counts: await state.readCounts(),
    folders: await countFolders(state),
  }));
}

async function countFolders(state: StateReader): Promise<number> {
  const folders = new Set<string>();
  for await (const path of basePaths(state)) for (const above of foldersAbove(path)) folders.add(above);
  return folders.size;
}

async function* basePaths(state: StateReader): AsyncGenerator<WorkspacePath> {
  let after: WorkspacePath | undefined;
  do {
    const paths: readonly WorkspacePath[] = await state.listBasePaths('', pathsAtOnce, after);
    yield* paths;
    after = paths.length < pathsAtOnce ? undefined : paths.at(-1);
  } while (after !== undefined);
}

async function askServer(
  host: Host,
  { apiBase, apiKey, workspaceId }: Source,
  meta: SyncMeta | null,
): Promise<{ readonly findings: readonly Finding[]; readonly isCaughtUp: boolean }> {
  const client = createStoaClient({ baseUrl: apiBase, apiKey: apiKey.reveal(), fetch: namedSend(host) });
  const { signal } = host;
  try {
    const { name } = await client.readWorkspace(workspaceId, { signal });
    const reached = good('server', `${shownText(apiBase)} opens ${shownText(name)}`);
    if (meta === null || meta.phase === null) return { findings: [reached], isCaughtUp: false };
    const { cursor, lastRecord } = meta;
    const { head } = await client.readChanges(workspaceId, { sinceSeq: cursor, limit: 0 }, { signal });
    const isOther = lastRecord !== null && head >= cursor && !(await hasRecord(lastRecord));
    if (head < cursor || isOther) {
      const reported = `this folder knows change ${cursor}, which the server does not have: it was restored from a backup`;
      return { findings: [reached, bad('feed', reported, { kind: 'resync' })], isCaughtUp: false };
    }
    const behind = hasJumped(cursor, head)
      ? 'and the server was restored from a backup since: the next sync compares every file'
      : head === cursor
        ? 'up to date'
        : `${counted(head - cursor, 'change')} to read`;
    const isCaughtUp = head === cursor && meta.phase === 'live';
    return { findings: [reached, good('feed', `at change ${cursor}, ${behind}`)], isCaughtUp };
  } catch (error) {
    if (!(error instanceof StoaApiError || error instanceof StoaConnectionError)) throw error;
    const { message, next } = failureOf(error);
    return { findings: [bad('server', shownText(`${message} ${next ?? ''}`))], isCaughtUp: false };
  }

  /** The record may be hidden from this member by now. Only another record with its number proves a restore. */
  async function hasRecord({ seq, id }: { readonly seq: number; readonly id: string }): Promise<boolean> {
    const { changes } = await client.readChanges(workspaceId, { sinceSeq: seq - 1, limit: 1 }, { signal });
    const [found] = changes;
    return found === undefined || found.seq !== seq || found.id === id;
  }
}

function lookAtState({ damage }: FolderFacts, kept: Kept | null, isWorking: boolean): readonly Finding[] {
  if (damage !== null) {
    const reported = `the sync state of this folder is damaged (${shownText(damage)})`;
    return [bad('state', reported, isWorking ? null : { kind: 'put_aside' })];
  }
  if (kept === null) return [good('state', 'nothing yet: this folder was never synced')];
  const { files, intents, holds } = kept.counts;
  return [
    good('state', `sound, ${counted(files, 'file')}`),
    ...(files > manyFiles ? [bad('size', `more than ${manyFiles} files: memory grows with them`)] : []),
    ...(holds > 0 ? [bad('held', 'something waits for you: stoa status --verbose')] : []),
    ...(intents > 0 && !isWorking
      ? [bad('ended', `${counted(intents, 'thing')} begun and not ended: the next stoa sync ends them`)]
      : []),
  ];
}

function lookAtDisk(
  { root, staged, watchesMax }: FolderFacts,
  kept: Kept | null,
  isWorking: boolean,
): readonly Finding[] {
  const known = kept?.meta.root ?? null;
  const traits = kept?.meta.traits ?? null;
  const words =
    traits === null
      ? []
      : [
          traits.hasStableObjects ? 'renames are seen' : 'renames look like a delete and a new file',
          ...(traits.hasHardLinks ? [] : ['no hard links']),
        ];
  const isCopied = known !== null && known !== root;
  return [
    ...(isCopied ? [good('disk', 'another folder than before: the next stoa sync reads every file')] : []),
    ...(words.length > 0 && !isCopied ? [good('disk', words.join(', '))] : []),
    ...lookAtWatches(kept?.folders ?? 0, watchesMax),
    ...(staged.length > 0 && !isWorking
      ? [
          bad('left', `${counted(staged.length, 'download')} begun and not ended`, {
            kind: 'drop_staged',
            ids: staged,
          }),
        ]
      : []),
  ];
}

/** Each folder needs one watch, and so do the root and the hidden folder. */
export function lookAtWatches(folders: number, watchesMax: number | null): readonly Finding[] {
  if (watchesMax === null) return [];
  const needed = folders + 2;
  const reported = `watching takes ${needed} of ${watchesMax} watches that the system allows`;
  return [
    needed <= watchesMax
      ? good('watch', reported)
      : bad('watch', `${reported}: raise them with ${raiseWatches}`),
  ];
}

/** Compares the server's list with the base. They must match, apart from known differences. */
async function compareLists(host: Host, { folder, config }: Source): Promise<readonly Finding[]> {
  const listed = new Map((await listWorkspace(host, config)).map((file) => [file.path, file]));
  const found = await readState(folder, async (state) => {
    let differences = 0;
    let same = 0;
    for await (const path of basePaths(state)) {
      const there = listed.get(path);
      if (there !== undefined && isSame(there, await state.readBaseFile(path))) same += 1;
      else differences += 1;
      listed.delete(path);
    }
    const { remoteDifferences } = await state.readCounts();
    return { same, unknown: differences + listed.size - remoteDifferences };
  });
  if (found === null) return [];
  if (found.unknown <= 0) return [good('list', `${counted(found.same, 'file')} as on the server`)];
  const files = counted(found.unknown, 'file differs', 'files differ');
  return [bad('list', `${files} on the server from what this folder knows`, { kind: 'resync' })];
}

function isSame(
  there: ListedFile,
  base: { readonly version: number; readonly hash: string } | null,
): boolean {
  return there.version === base?.version && (there.hash === null || there.hash === base.hash);
}
