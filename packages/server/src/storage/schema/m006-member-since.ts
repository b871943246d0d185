import type { Migration } from './migration.ts';

/** Where the feed stood when each member joined. Who is a member already has seen it from its beginning. */
export const m006MemberSince: Migration = {
  number: 6,
  name: 'member-since',
  statements: ({ integer }) => [`alter table member add column joined_seq ${integer} not null default 0`],
};
