import type { Migration } from './migration.ts';

/** A key's maximum access, its folder or file (empty: everything), and its lifetime in days. */
export const m006NarrowKeys: Migration = {
  number: 6,
  name: 'narrow keys',
  statements: ({ text, integer }) => [
    `alter table api_key add column access ${text} not null default 'write'`,
    `alter table api_key add column path ${text} not null default ''`,
    `alter table api_key add column expires_in_days ${integer}`,
  ],
};
