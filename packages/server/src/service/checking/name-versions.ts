import type { CheckedVersion, Finding } from '../ports/checks.ts';
import type { ServiceDeps } from '../service-deps.ts';

const namedMax = 3;
const rowsOfPage = 1000;

/**
 * Lists the versions that use faulty contents: users know their files, not content hashes. Reads all versions of the
 * affected workspaces.
 */
export async function nameVersions(
  { reader }: Pick<ServiceDeps['store'], 'reader'>,
  found: readonly Finding[],
  progress: (rows: number) => void,
): Promise<readonly Finding[]> {
  const known = new Map<string, { named: string[]; count: number }>();
  const keyOf = (workspaceId: string, contentHash: string) => `${workspaceId} ${contentHash}`;
  for (const { workspaceId, subject } of found) {
    if (workspaceId !== null) known.set(keyOf(workspaceId, subject), { named: [], count: 0 });
  }
  let rows = 0;
  for (const workspaceId of new Set(found.map((finding) => finding.workspaceId))) {
    if (workspaceId === null) continue;
    let after: Pick<CheckedVersion, 'incarnation' | 'version'> = { incarnation: 0, version: 0 };
    for (;;) {
      const page = await reader.checks.versionsPage({ workspaceId, after, limit: rowsOfPage });
      for (const { path, version, contentHash } of page) {
        const holders = known.get(keyOf(workspaceId, contentHash));
        if (holders === undefined) continue;
        holders.count += 1;
        holders.named = [`${path} version ${version}`, ...holders.named].slice(0, namedMax);
      }
      rows += page.length;
      progress(rows);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last;
    }
  }
  return found.map((finding) => {
    const holders = known.get(keyOf(finding.workspaceId ?? '', finding.subject));
    if (holders === undefined || holders.count === 0) return finding;
    const { named, count } = holders;
    return { ...finding, versions: named, furtherVersions: count - named.length };
  });
}
