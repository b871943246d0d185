/**
 * The observation of one request. Its times are those of the client, before the request and after the response.
 */
export interface Observation {
  readonly path: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly seen:
    | { readonly kind: 'written'; readonly over: number; readonly version: number; readonly body: string }
    | { readonly kind: 'read'; readonly version: number; readonly body: string }
    | { readonly kind: 'stale'; readonly over: number; readonly current: number };
}

/**
 * Finds violations of compare-and-swap in a file's history. A write makes the version after its base version,
 * each once. A read returns the written text. Only a late write is rejected. Versions also follow time: a
 * request sees no version that an earlier response had already replaced, and none whose write has not begun.
 * The function is pure, so that a test can show that it notices each fault.
 */
export function findViolations(observations: readonly Observation[]): readonly string[] {
  return [...Map.groupBy(observations, ({ path }) => path)].flatMap(([path, own]) =>
    [...wrongVersions(own), ...wrongTimes(own)].map((fault) => `${path}: ${fault}`),
  );
}

function wrongVersions(observations: readonly Observation[]): readonly string[] {
  const faults: string[] = [];
  const bodies = new Map<number, string>();
  for (const { seen } of observations) {
    if (seen.kind !== 'written') continue;
    const { over, version, body } = seen;
    if (version !== over + 1) faults.push(`a write over ${over} made ${version}`);
    if (bodies.has(version)) faults.push(`version ${version} was written twice`);
    bodies.set(version, body);
  }
  for (let version = 1; version <= bodies.size; version += 1) {
    if (!bodies.has(version)) faults.push(`version ${version} of ${bodies.size} was never written`);
  }
  for (const { seen } of observations) {
    if (seen.kind === 'read' && bodies.get(seen.version) !== seen.body) {
      faults.push(`version ${seen.version} was read as ${seen.body}, written as ${bodies.get(seen.version)}`);
    }
    if (seen.kind === 'stale' && seen.current === seen.over) {
      faults.push(`a write over the current version ${seen.over} was rejected`);
    }
  }
  return faults;
}

function wrongTimes(observations: readonly Observation[]): readonly string[] {
  const faults: string[] = [];
  const begun = new Map<number, number>();
  for (const { startedAt, seen } of observations) {
    if (seen.kind === 'written') begun.set(seen.version, startedAt);
  }
  const byEnd = observations.toSorted((one, other) => one.endedAt - other.endedAt);
  let known = 0;
  let ended = 0;
  for (const { startedAt, endedAt, seen } of observations.toSorted(
    (one, other) => one.startedAt - other.startedAt,
  )) {
    for (let next = byEnd[ended]; next !== undefined && next.endedAt < startedAt; next = byEnd[ended]) {
      known = Math.max(known, versionOf(next));
      ended += 1;
    }
    const version = versionOf({ seen });
    if (version < known) faults.push(`version ${version} was seen (${seen.kind}) after version ${known}`);
    if (seen.kind === 'written' && version === known)
      faults.push(`version ${version} was made after it was seen`);
    if ((begun.get(version) ?? 0) > endedAt)
      faults.push(`version ${version} was seen before its write began`);
  }
  return faults;
}

function versionOf({ seen }: Pick<Observation, 'seen'>): number {
  return seen.kind === 'stale' ? seen.current : seen.version;
}
