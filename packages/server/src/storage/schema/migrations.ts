import { m016FirstSchema } from './m016-first-schema.ts';
import { m017BookmarksByPath } from './m017-bookmarks-by-path.ts';
import { m018Departures } from './m018-departures.ts';
import { m019RecordOwner } from './m019-record-owner.ts';
import { m020WordIndex } from './m020-word-index.ts';
import type { Migration } from './migration.ts';

/** Every migration in order, shared by both databases. A released migration never changes. */
export const migrations: readonly Migration[] = [
  m016FirstSchema,
  m017BookmarksByPath,
  m018Departures,
  m019RecordOwner,
  m020WordIndex,
];
