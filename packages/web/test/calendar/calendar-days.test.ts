import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addDays,
  addMonths,
  addMonthsToDay,
  dateOf,
  monthOf,
  parseDay,
  parseMonth,
  today,
  weeksOf,
} from '../../src/calendar/calendar-days.ts';

test('only days that exist are days', () => {
  for (const day of ['2026-11-20', '2024-02-29', '0001-01-01', '9999-12-31'])
    assert.equal(parseDay(day), day);
  const wrong = ['2026-02-30', '2026-13-01', '2026-00-10', '2026-1-1', '2026-11-20T00:00', '', ' 2026-11-20'];
  for (const day of wrong) assert.equal(parseDay(day), null, day);
  assert.equal(parseMonth('2026-11'), '2026-11');
  for (const month of ['2026-00', '2026-13', '2026-1', 'x']) assert.equal(parseMonth(month), null, month);
});

test('days and months are counted over ends of months and years', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01');
  assert.equal(addDays('2024-03-01', -1), '2024-02-29');
  assert.equal(addMonths('2026-12', 1), '2027-01');
  assert.equal(addMonths('2026-01', -1), '2025-12');
  assert.equal(addMonthsToDay('2026-01-31', 1), '2026-02-28');
  assert.equal(addMonthsToDay('2026-03-15', -1), '2026-02-15');
});

test('no clock change drops or doubles a day', () => {
  const days = new Set<string>();
  for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 1)) days.add(day);
  assert.equal(days.size, 365);
});

test('today is the day where the person is', () => {
  const lateEvening = new Date(2026, 10, 20, 23, 59);
  assert.equal(today(lateEvening), '2026-11-20');
});

test('the first and the last day end the calendar, and no date leads beyond them', () => {
  assert.equal(addDays('9999-12-31', 1), '9999-12-31');
  assert.equal(addDays('0000-01-03', -7), '0000-01-01');
  assert.equal(addMonths('9999-12', 1), '9999-12');
  assert.equal(addMonths('0000-01', -1), '0000-01');
  assert.equal(addMonthsToDay('9999-12-30', 1), '9999-12-30');
  assert.equal(addMonthsToDay('9999-11-30', 1), '9999-12-30');
  assert.equal(addMonthsToDay('0000-01-31', -1), '0000-01-31');
  for (const month of ['0000-00', '10000-01', '-001-12', '9999-13']) assert.equal(parseMonth(month), null);
  const full = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
  for (const month of ['0000-01', '0000-02', '0001-01', '0099-12', '9999-11', '9999-12']) {
    for (let firstWeekday = 1; firstWeekday <= 7; firstWeekday += 1) {
      const weeks = weeksOf(month, firstWeekday);
      const days = weeks.flat().filter((day) => day !== null);
      for (const day of days) {
        assert.equal(parseDay(day), day);
        full.format(dateOf(day));
      }
      const inMonth = days.filter((day) => monthOf(day) === month);
      assert.equal(inMonth.at(-1), addDays(`${addMonths(month, 1)}-01`, month === '9999-12' ? 30 : -1));
      assert.equal(inMonth[0], `${month}-01`);
      for (const week of weeks) assert.equal(week.length, 7);
      assert.ok(
        weeks[1]?.every((day) => day !== null),
        'the second week names the weekdays',
      );
    }
  }
});

test('weeks cover the month whole, from the wanted weekday on', () => {
  const monday = weeksOf('2026-11', 1);
  assert.deepEqual(monday.at(0)?.at(0), '2026-10-26');
  assert.deepEqual(monday.at(-1)?.at(-1), '2026-12-06');
  const sunday = weeksOf('2026-11', 7);
  assert.deepEqual(sunday.at(0)?.at(0), '2026-11-01');
  assert.deepEqual(sunday.at(-1)?.at(-1), '2026-12-05');
  // A February of four whole weeks.
  assert.equal(weeksOf('2027-02', 1).length, 4);
  for (const weeks of [monday, sunday]) for (const week of weeks) assert.equal(week.length, 7);
});
