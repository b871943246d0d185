import type { CheckedChange, CheckedFile, CheckedVersion, Finding } from '../ports/checks.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { checkContents, contentRules } from './check-contents.ts';
import { checkPath, replayFeed, replayRules } from './replay-feed.ts';

/** A rule that is broken, with where. */
export interface Problem {
  readonly rule: string;
  readonly says: string;
  /** The first of what was found; `more` tells that there is more of it. */
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
    /** Read and hashed; 0 where only their being there was asked. */
    readonly bytesRead: number;
  };
}

/** How much of what breaks one rule is named. */
const findingsMax = 100;
const pageRows = 1000;

/** What a check asks: nothing of it is changed. */
export interface CheckedDeps extends Pick<ServiceDeps, 'blobs'> {
  readonly store: Pick<ServiceDeps['store'], 'reader' | 'snapshot'>;
}

const damageSays =
  'The database says that its own files are damaged. Nothing else was asked: what it answers cannot be relied on.';

/**
 * Asks every rule of everything that is stored, and changes nothing. It may run beside a service: each rule is asked of one
 * moment.
 * @param progress told of each step, in words.
 */
export async function checkInstallation(
  deps: CheckedDeps,
  { readBytes }: { readonly readBytes: boolean },
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

  progress('the database');
  for (const subject of await checks.damage()) {
    report('database_damaged', damageSays, { workspaceId: null, subject });
  }
  if (problems.size > 0)
    return reportOf({ workspaces: 0, changes: 0, versions: 0, files: 0, contents: 0, bytesRead: 0 });
  for (const rule of checks.rules) {
    progress(rule.name);
    for (const finding of await checks.findings(rule, findingsMax + 1)) report(rule.name, rule.says, finding);
  }

  const counts = { workspaces: 0, changes: 0, versions: 0, files: 0 };
  for await (const workspaceId of workspaceIds(store)) {
    const played = await checkWorkspace(store, workspaceId, (rule, subject) =>
      report(rule, replayRules[rule], { workspaceId, subject }),
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
    progress: (contents, bytes) => progress(`${contents} contents, ${bytes} bytes read`),
  });
  return reportOf({ ...counts, ...read });
}

/** Left to what opens an imported workspace: it has its counters, its owner and its people only then. */
const openedRules: ReadonlySet<string> = new Set([
  'workspace_without_counter',
  'workspace_without_owner',
  'private_to_nobody',
]);

/** Asks the rules of one workspace that is being filled, and that nobody finds yet. @returns what is wrong, a line each. */
export async function checkWorkspaceRows(
  store: ServiceDeps['store'],
  workspaceId: string,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const report = (rule: string, subject: string) => {
    if (wrong.length < findingsMax) wrong.push(`${rule}: ${subject}`);
  };
  await checkWorkspace(store, workspaceId, report);
  const { checks } = store.reader;
  for (const rule of checks.rules) {
    if (openedRules.has(rule.name)) continue;
    for (const { subject } of await checks.findings(rule, 1, workspaceId)) report(rule.name, subject);
  }
  return wrong;
}

export async function* workspaceIds(store: Pick<ServiceDeps['store'], 'reader'>): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const page = await store.reader.workspaces.page(after, pageRows);
    for (const { id } of page) yield id;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** The feed of a workspace against its versions and its files, all of one moment. */
function checkWorkspace(
  store: CheckedDeps['store'],
  workspaceId: string,
  report: Parameters<typeof replayFeed>[0],
): Promise<{ readonly changes: number; readonly versions: number; readonly files: number }> {
  return store.snapshot(async ({ checks }) => {
    const replay = replayFeed(report);
    const limit = pageRows;
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
    replay.end();
    for (const path of await checks.sidePaths(workspaceId)) checkPath(path, report);
    return { changes, versions, files };
  });
}

async function eachPage<Row>(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
  visit: (row: Row) => void,
): Promise<number> {
  let count = 0;
  let last: Row | undefined;
  for (;;) {
    const page = await read(last);
    for (const row of page) visit(row);
    count += page.length;
    last = page.at(-1);
    if (page.length < pageRows) return count;
  }
}
