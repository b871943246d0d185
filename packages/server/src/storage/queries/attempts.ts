import { type Expression, sql } from 'kysely';
import type { AttemptWriter } from '../../service/ports/attempts.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

const recentAttempt = columns<{ bucket: string; attempts: string; staleAt: number }>()('recent_attempt', {
  bucket: 'bucket',
  /** A JSON list of times. */
  attempts: 'attempts',
  staleAt: 'stale_at',
});

const rateLimit = columns<{ bucket: string; windowStart: number; windowEnd: number; attempts: number }>()(
  'rate_limit',
  { bucket: 'bucket', windowStart: 'window_start', windowEnd: 'window_end', attempts: 'attempts' },
);

export type RecentAttemptTable = TableOf<typeof recentAttempt>;
export type RateLimitTable = TableOf<typeof rateLimit>;

/** Number of expired windows that one attempt removes: more than one attempt can add. */
const expiredBucketsPerAttempt = 10;
/** Number of stale buckets that one attempt removes: more than one attempt can add. */
const staleBucketsPerAttempt = 10;

export type AttemptWrites = ReturnType<typeof attemptWrites>;

export function attemptWrites({ db }: QueryDialect) {
  return {
    /** An update that changes nothing takes the row's lock; the first attempt creates the row. */
    lock: compileQuery(({ bucket }: Placeholders<{ bucket: string }>) =>
      db
        .insertInto('recent_attempt')
        .values(recentAttempt.values({ bucket, attempts: sql.lit('[]'), staleAt: sql.lit(0) }))
        .onConflict((conflict) =>
          conflict.column('bucket').doUpdateSet((of) => ({ bucket: of.ref('excluded.bucket') })),
        )
        .returning('attempts'),
    ),
    keep: compileQuery(({ bucket, attempts, staleAt }: Placeholders<StoredOf<typeof recentAttempt>>) =>
      db.updateTable('recent_attempt').set({ attempts, stale_at: staleAt }).where('bucket', '=', bucket),
    ),
    clear: compileQuery(({ now }: Placeholders<{ now: number }>) =>
      db
        .deleteFrom('recent_attempt')
        .where('bucket', 'in', (of) =>
          of
            .selectFrom('recent_attempt')
            .select('bucket')
            .where('stale_at', '<=', now)
            .orderBy('stale_at')
            .limit(sql.lit(staleBucketsPerAttempt)),
        ),
    ),
    count: compileQuery((row: Placeholders<StoredOf<typeof rateLimit>>) =>
      db
        .insertInto('rate_limit')
        .values(rateLimit.values(row))
        .onConflict((conflict) =>
          conflict.column('bucket').doUpdateSet((of) => ({
            // Nodes' clocks differ: only a later window replaces a window, otherwise each node would restart the count.
            attempts: sql<number>`case when rate_limit.window_start < excluded.window_start
              then 1 else rate_limit.attempts + 1 end`,
            window_start: later(of.ref('rate_limit.window_start'), of.ref('excluded.window_start')),
            window_end: later(of.ref('rate_limit.window_end'), of.ref('excluded.window_end')),
          })),
        )
        .returning('attempts'),
    ),
    clearWindows: compileQuery(({ now }: Placeholders<{ now: number }>) =>
      db
        .deleteFrom('rate_limit')
        .where('bucket', 'in', (of) =>
          of
            .selectFrom('rate_limit')
            .select('bucket')
            .where('window_end', '<=', now)
            .orderBy('window_end')
            .limit(sql.lit(expiredBucketsPerAttempt)),
        ),
    ),
  };
}

export function createAttemptWriter(executor: Executor, writes: AttemptWrites): AttemptWriter {
  return {
    async lockAttempts(bucket) {
      const locked = await writes.lock.get(executor, { bucket });
      if (locked === undefined) throw new Error('a bucket of attempts could not be locked');
      return parseTimes(locked.attempts);
    },
    async keepAttempts(bucket, attempts, staleAt) {
      await writes.keep.run(executor, { bucket, attempts: JSON.stringify(attempts), staleAt });
      // The newest attempt is the only clock here.
      await writes.clear.run(executor, { now: attempts.at(-1) ?? 0 });
    },
    async countAttempt(bucket, windowStart, windowEnd) {
      // The window's start is the only clock here: a window that ended before it has expired for every bucket.
      await writes.clearWindows.run(executor, { now: windowStart });
      const counted = await writes.count.get(executor, {
        bucket,
        windowStart,
        windowEnd,
        attempts: 1,
      });
      if (counted === undefined) throw new Error('an attempt was not counted');
      return counted.attempts;
    },
  };
}

function parseTimes(text: string): readonly number[] {
  const times: unknown = JSON.parse(text);
  if (!Array.isArray(times) || !times.every((time) => typeof time === 'number')) {
    throw new Error('stored attempts are not a list of times');
  }
  return times;
}

function later(one: Expression<number>, other: Expression<number>) {
  return sql<number>`case when ${one} > ${other} then ${one} else ${other} end`;
}
