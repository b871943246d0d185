import { m001FirstSchema } from './m001-first-schema.ts';
import { m002FrontMatter } from './m002-front-matter.ts';
import { m003SharesByTime } from './m003-shares-by-time.ts';
import { m004CatchUp } from './m004-catch-up.ts';
import { m005ConflictBase } from './m005-conflict-base.ts';
import { m006NarrowKeys } from './m006-narrow-keys.ts';
import { m008AccessEpoch } from './m008-access-epoch.ts';
import { m009Scrub } from './m009-scrub.ts';
import { m010DisabledPeople } from './m010-disabled-people.ts';
import { m011ProviderSignIns } from './m011-provider-sign-ins.ts';
import { m012Audit } from './m012-audit.ts';
import { m013FormerIncarnations } from './m013-former-incarnations.ts';
import { m017BookmarksByPath } from './m017-bookmarks-by-path.ts';
import { m018Departures } from './m018-departures.ts';
import { m019RecordOwner } from './m019-record-owner.ts';
import { m020WordIndex } from './m020-word-index.ts';
import type { Migration } from './migration.ts';

/** A migration of tables that a later one drops: new databases never create them. */
function retired(number: number, name: string): Migration {
  return { number, name, statements: () => [] };
}

/** Every migration in order, shared by both databases. A released migration never changes, unless it is retired. */
export const migrations: readonly Migration[] = [
  m001FirstSchema,
  m002FrontMatter,
  m003SharesByTime,
  m004CatchUp,
  m005ConflictBase,
  m006NarrowKeys,
  retired(7, 'content index'),
  m008AccessEpoch,
  m009Scrub,
  m010DisabledPeople,
  m011ProviderSignIns,
  m012Audit,
  m013FormerIncarnations,
  retired(14, 'content index in parts'),
  retired(15, 'signs as letters in the content index'),
  retired(16, 'small parts in the content index'),
  m017BookmarksByPath,
  m018Departures,
  m019RecordOwner,
  m020WordIndex,
];
