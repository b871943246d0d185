import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideKept, type KeepRule } from '../../src/backup/decide-kept.ts';

const backup = (madeAt: string, locationId: string | null = 'place_1') => ({
  ...{ name: madeAt.replaceAll(':', '-'), madeAt, placeId: locationId },
});
const days = (...names: readonly string[]) => names.map((day) => backup(`${day}T02:00:00.000Z`));

function keptDays(backups: readonly ReturnType<typeof backup>[], rule: KeepRule) {
  return decideKept(backups, rule).map(({ name, because }) => `${name.slice(0, 10)} ${because.join(' ')}`);
}

test('the last backups are kept, and always the newest', () => {
  const backups = days('2026-11-01', '2026-11-02', '2026-11-03');
  assert.deepEqual(keptDays(backups, { last: 2 }), ['2026-11-02 last', '2026-11-03 newest last']);
  assert.deepEqual(keptDays(backups, {}), ['2026-11-03 newest']);
  assert.deepEqual(keptDays(backups, { last: 9 }).length, 3);
  assert.deepEqual(decideKept([], { last: 1 }), []);
});

test('the last backup of a day counts, and days without one do not', () => {
  const backups = [
    ...days('2026-10-30', '2026-11-01'),
    backup('2026-11-01T23:59:59.999Z'),
    ...days('2026-11-03'),
  ];
  assert.deepEqual(
    decideKept(backups, { daily: 3 }).map(({ name }) => name),
    ['2026-10-30T02-00-00.000Z', '2026-11-01T23-59-59.999Z', '2026-11-03T02-00-00.000Z'],
  );
  assert.deepEqual(keptDays(backups, { daily: 2 }), ['2026-11-01 daily', '2026-11-03 newest daily']);
});

test('weeks begin on Monday, months and years with their first day, all in UTC', () => {
  // 2027-01-03 is a Sunday.
  const backups = days('2026-11-30', '2026-12-27', '2026-12-28', '2027-01-03', '2027-01-04');
  assert.deepEqual(keptDays(backups, { weekly: 3 }), [
    '2026-12-27 weekly',
    '2027-01-03 weekly',
    '2027-01-04 newest weekly',
  ]);
  assert.deepEqual(keptDays(backups, { monthly: 3 }), [
    '2026-11-30 monthly',
    '2026-12-28 monthly',
    '2027-01-04 newest monthly',
  ]);
  assert.deepEqual(keptDays(backups, { yearly: 5 }), ['2026-12-28 yearly', '2027-01-04 newest yearly']);
});

test('a year of nights leaves seven days, five weeks and twelve months', () => {
  const nights = Array.from({ length: 365 }, (_, night) =>
    backup(new Date(Date.UTC(2026, 0, 1 + night, 2)).toISOString()),
  );
  const kept = decideKept(nights, { daily: 7, weekly: 5, monthly: 12 });
  const by = (kind: 'daily' | 'weekly' | 'monthly') =>
    kept.filter(({ because }) => because.includes(kind)).length;
  assert.deepEqual([by('daily'), by('weekly'), by('monthly')], [7, 5, 12]);
  assert.equal(kept.at(-1)?.name, '2026-12-31T02-00-00.000Z');
});

test('each installation that shares the directory is counted separately', () => {
  const backups = [
    backup('2026-11-01T02:00:00.000Z', null),
    backup('2026-11-02T02:00:00.000Z', 'place_2'),
    ...days('2026-11-03', '2026-11-04'),
  ];
  assert.deepEqual(keptDays(backups, { last: 1 }), [
    '2026-11-01 newest last',
    '2026-11-02 newest last',
    '2026-11-04 newest last',
  ]);
});
