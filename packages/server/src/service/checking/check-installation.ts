import type { CheckedChange, CheckedFile, CheckedVersion, Finding } from '../ports/checks.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { checkContents, contentRules } from './check-contents.ts';
import { nameVersions } from './name-versions.ts';
import { checkPath, replayFeed, replayRules } from './replay-feed.ts';

/** A broken rule and the rows that break it. */
export interface Problem {
  readonly rule: string;
  readonly says: string;
  /** The first findings; `more` is true when there are others. */
  readonly found: readonly Finding[];
  readonly more: boolean;
}

export interface CheckReport {
  readonly problems: readonly Problem[];
  readonly checked: {
    readonly workspaces: number;
    readonly changes: number;
    readonly versions: number;
    readonly files: number;
    readonly contents: number;
    /** Read and hashed; 0 when only the presence was checked. */
    readonly bytesRead: number;
  };
}

const findingsMax = 100;
/** Each row may need several lookups on a slow disk: a page takes a second or two at most. */
const pageRowsUsual = 1000;

export interface CheckOptions {
  readonly readBytes: boolean;
  /** The rows that one statement reads; default 1000. */
  readonly pageRows?: number;
}

/** Dependencies of a check, which only reads. */
export interface CheckedDeps extends Pick<ServiceDeps, 'blobs'> {
  readonly store: Pick<ServiceDeps['store'], 'reader' | 'snapshot'>;
}

const contentNames: ReadonlySet<string> = new Set([
  ...Object.keys(contentRules),
  'content_quarantined',
  'bytes_unlike_size',
]);

const damageSays =
  'The database says that its own files are damaged. No other check ran, because its results cannot be trusted.';

/**
 * Checks every rule on everything that is stored, and changes nothing. It may run next to a service: each rule reads
 * one snapshot, and so does the replay of each workspace's feed. It reads in pages, so that no statement times out.
 * @param progress receives each step as text.
 */
export async function checkInstallation(
  deps: CheckedDeps,
  { readBytes, pageRows = pageRowsUsual }: CheckOptions,
  progress: (step: string) => void,
): Promise<CheckReport> {
  const { store } = deps;
  const { checks } = store.reader;
  const problems = new Map<string, { says: string; found: Finding[]; more: boolean }>();
  const report = (rule: string, says: string, finding: Finding) => {
    const known = problems.get(rule) ?? { says, found: [], more: false };
    if (known.found.length < findingsMax) known.found.push(finding);
    else known.more = true;
    problems.set(rule, known);
  };

  const reportOf = (checked: CheckReport['checked']): CheckReport => ({
    problems: [...problems].map(([rule, problem]) => ({ rule, ...problem })),
    checked,
  });
  const nameContents = async () => {
    for (const [rule, problem] of problems) {
      if (!contentNames.has(rule)) continue;
      const found = await nameVersions(store, problem.found, (rows) =>
        progress(`the files of ${rule}: ${rows} versions`),
      );
      problems.set(rule, { ...problem, found: [...found] });
    }
  };

  progress('the database');
  for (const subject of await checks.damage()) {
    report('database_damaged', damageSays, { workspaceId: null, subject });
  }
  if (problems.size > 0)
    return reportOf({ workspaces: 0, changes: 0, versions: 0, files: 0, contents: 0, bytesRead: 0 });
  for (const rule of checks.rules) {
    progress(rule.name);
    const reported = (rows: number) => progress(`${rule.name}: ${rows} rows`);
    const asked = { limit: findingsMax + 1, pageRows, onProgress: reported };
    const found = await store.snapshot((reader) => reader.checks.findings(rule, asked));
    for (const finding of found) report(rule.name, rule.says, finding);
  }

  const counts = { workspaces: 0, changes: 0, versions: 0, files: 0 };
  for await (const workspaceId of workspaceIds(store)) {
    const played = await checkWorkspace(
      store,
      { workspaceId, pageRows },
      (rule, subject) => report(rule, replayRules[rule], { workspaceId, subject }),
      (rows) => progress(`the feed of ${workspaceId}: ${rows} rows`),
    );
    counts.workspaces += 1;
    counts.changes += played.changes;
    counts.versions += played.versions;
    counts.files += played.files;
    progress(`${counts.workspaces} workspaces, ${counts.changes} changes, ${counts.versions} versions`);
  }

  const read = await checkContents(deps, {
    readBytes,
    report: (rule, { workspaceId, contentHash: subject }) =>
      report(rule, contentRules[rule], { workspaceId, subject }),
    progress,
  });
  await nameContents();
  return reportOf({ ...counts, ...read });
}

/** Skipped during an import: the workspace gets its counters, owner and users only when it is opened. */
const openedRules: ReadonlySet<string> = new Set([
  'workspace_without_counter',
  'workspace_without_owner',
  'private_to_nobody',
]);

/** Checks the rules of one workspace under import, which is not visible yet. @returns the faults, one line each. */
export async function checkWorkspaceRows(
  store: ServiceDeps['store'],
  workspaceId: string,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const report = (rule: string, subject: string) => {
    if (wrong.length < findingsMax) wrong.push(`${rule}: ${subject}`);
  };
  const pageRows = pageRowsUsual;
  await checkWorkspace(store, { workspaceId, pageRows }, report, () => {});
  for (const rule of store.reader.checks.rules) {
    if (openedRules.has(rule.name)) continue;
    const found = await store.snapshot(({ checks }) =>
      checks.findings(rule, { limit: 1, pageRows, workspaceId }),
    );
    for (const { subject } of found) report(rule.name, subject);
  }
  return wrong;
}

export async function* workspaceIds(store: Pick<ServiceDeps['store'], 'reader'>): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const page = await store.reader.workspaces.page(after, pageRowsUsual);
    for (const { id } of page) yield id;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Compares the feed of a workspace with its rows, in one snapshot. */
function checkWorkspace(
  store: CheckedDeps['store'],
  { workspaceId, pageRows: limit }: { readonly workspaceId: string; readonly pageRows: number },
  report: Parameters<typeof replayFeed>[0],
  reported: (rows: number) => void,
): Promise<{ readonly changes: number; readonly versions: number; readonly files: number }> {
  return store.snapshot(async ({ checks }) => {
    const replay = replayFeed(report);
    let rows = 0;
    const eachPage = async <Row>(
      read: (last: Row | undefined) => Promise<readonly Row[]>,
      visit: (row: Row) => void,
    ): Promise<number> => {
      let count = 0;
      let last: Row | undefined;
      for (;;) {
        const page = await read(last);
        for (const row of page) visit(row);
        count += page.length;
        rows += page.length;
        reported(rows);
        last = page.at(-1);
        if (page.length < limit) return count;
      }
    };
    const changes = await eachPage(
      (last: CheckedChange | undefined) =>
        checks.changesPage({ workspaceId, afterSeq: last?.seq ?? 0, limit }),
      replay.change,
    );
    const versions = await eachPage(
      (last: CheckedVersion | undefined) =>
        checks.versionsPage({ workspaceId, after: last ?? { incarnation: 0, version: 0 }, limit }),
      replay.version,
    );
    const files = await eachPage(
      (last: CheckedFile | undefined) =>
        checks.filesPage({ workspaceId, afterPath: last?.path ?? '', limit }),
      replay.file,
    );
    for (let afterSeq = 0; ; ) {
      const page = await checks.commentSeqs({ workspaceId, afterSeq, limit });
      if (page === null) break;
      for (const seq of page.seqs) replay.comment(seq);
      afterSeq = page.lastThread;
    }
    replay.end(await checks.counters(workspaceId), await checks.privateItems(workspaceId));
    for (const path of await checks.sidePaths(workspaceId)) checkPath(path, report);
    return { changes, versions, files };
  });
}
