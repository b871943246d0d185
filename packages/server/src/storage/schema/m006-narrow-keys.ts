import type { Migration } from './migration.ts';

/** What a key may do at most, the folder or file that it is for (empty: all), and the days after which it ends. */
export const m006NarrowKeys: Migration = {
  number: 6,
  name: 'narrow keys',
  statements: ({ text, integer }) => [
    `alter table api_key add column access ${text} not null default 'write'`,
    `alter table api_key add column path ${text} not null default ''`,
    `alter table api_key add column expires_in_days ${integer}`,
  ],
};
