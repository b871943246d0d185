import { sql } from 'kysely';
import type { AttemptWriter } from '../../service/ports/attempt-store.ts';
import type { RecentAttemptTable } from './device-tables.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

/** How many stale buckets one attempt clears away: more than one attempt can add. */
const staleBucketsPerAttempt = 10;

export type AttemptWrites = ReturnType<typeof attemptWrites>;

export function attemptWrites({ db }: QueryDialect) {
  return {
    /** An update that changes nothing takes the row's lock, and there is a row to lock from the first attempt on. */
    lock: compileQuery(({ bucket }: Placeholders<{ bucket: string }>) =>
      db
        .insertInto('recent_attempt')
        .values({ bucket, attempts: sql.lit('[]'), stale_at: 0 })
        .onConflict((conflict) =>
          conflict.column('bucket').doUpdateSet((of) => ({ bucket: of.ref('excluded.bucket') })),
        )
        .returning('attempts'),
    ),
    keep: compileQuery(({ bucket, attempts, stale_at }: Placeholders<RecentAttemptTable>) =>
      db.updateTable('recent_attempt').set({ attempts, stale_at }).where('bucket', '=', bucket),
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
      await writes.keep.run(executor, { bucket, attempts: JSON.stringify(attempts), stale_at: staleAt });
      // The newest attempt is the only clock here.
      await writes.clear.run(executor, { now: attempts.at(-1) ?? 0 });
    },
  };
}

function parseTimes(text: string): readonly number[] {
  const times: unknown = JSON.parse(text);
  if (!Array.isArray(times) || !times.every((time) => typeof time === 'number')) {
    throw new Error('remembered attempts are not a list of times');
  }
  return times;
}
