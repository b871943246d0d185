/**
 * Number of backups to keep of each kind: the last ones, and the last one of each day, week, month or year with a
 * backup.
 */
export type KeepRule = Readonly<Partial<Record<KeepKind, number>>>;

export const keepKinds = ['last', 'daily', 'weekly', 'monthly', 'yearly'] as const;
export type KeepKind = (typeof keepKinds)[number];

export interface DatedBackup {
  readonly name: string;
  /** ISO, in UTC. */
  readonly madeAt: string;
  /** Null if the installation had no location id yet. */
  readonly placeId: string | null;
}

/** A backup that is kept, and the parts of the rule that keep it. `newest` is not part of the rule. */
export interface KeptBackup {
  readonly name: string;
  readonly because: readonly (KeepKind | 'newest')[];
}

/** The period of a backup for each kind, of which the last backup counts. In UTC, weeks from Monday. */
const spanOf: Readonly<Record<KeepKind, (backup: DatedBackup) => string>> = {
  last: ({ name }) => name,
  daily: ({ madeAt }) => madeAt.slice(0, 10),
  weekly: ({ madeAt }) => mondayOf(madeAt),
  monthly: ({ madeAt }) => madeAt.slice(0, 7),
  yearly: ({ madeAt }) => madeAt.slice(0, 4),
};

const dayMs = 24 * 60 * 60 * 1000;

function mondayOf(madeAt: string): string {
  const at = new Date(madeAt);
  const daysSince = (at.getUTCDay() + 6) % 7;
  return new Date(at.getTime() - daysSince * dayMs).toISOString().slice(0, 10);
}

/**
 * Decides which backups of a directory are kept, oldest first. Each installation is counted separately, and its
 * newest backup is always kept.
 */
export function decideKept(backups: readonly DatedBackup[], rule: KeepRule): readonly KeptBackup[] {
  const because = new Map<string, (KeepKind | 'newest')[]>();
  for (const ofOne of Map.groupBy(backups, ({ placeId: locationId }) => locationId).values()) {
    const newestFirst = ofOne.toSorted((one, other) => (one.madeAt < other.madeAt ? 1 : -1));
    for (const { name } of newestFirst) because.set(name, []);
    because.get(newestFirst[0]?.name ?? '')?.push('newest');
    for (const kind of keepKinds) {
      const spans = new Set<string>();
      for (const backup of newestFirst) {
        const span = spanOf[kind](backup);
        if (spans.has(span) || spans.size === (rule[kind] ?? 0)) continue;
        spans.add(span);
        because.get(backup.name)?.push(kind);
      }
    }
  }
  return backups
    .map(({ name }) => ({ name, because: because.get(name) ?? [] }))
    .filter((backup) => backup.because.length > 0);
}
