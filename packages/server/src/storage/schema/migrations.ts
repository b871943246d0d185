import { m001FirstSchema } from './m001-first-schema.ts';
import { m002FrontMatter } from './m002-front-matter.ts';
import { m003SharesByTime } from './m003-shares-by-time.ts';
import { m004CatchUp } from './m004-catch-up.ts';
import { m005ConflictBase } from './m005-conflict-base.ts';
import { m006NarrowKeys } from './m006-narrow-keys.ts';
import { m007ContentIndex } from './m007-content-index.ts';
import { m008AccessEpoch } from './m008-access-epoch.ts';
import { m009Scrub } from './m009-scrub.ts';
import { m010DisabledPeople } from './m010-disabled-people.ts';
import { m011ProviderSignIns } from './m011-provider-sign-ins.ts';
import { m012Audit } from './m012-audit.ts';
import { m013FormerIncarnations } from './m013-former-incarnations.ts';
import { m014ContentIndexParts } from './m014-content-index-parts.ts';
import { m015SignsAsLetters } from './m015-signs-as-letters.ts';
import { m016SmallContentParts } from './m016-small-content-parts.ts';
import { m017BookmarksByPath } from './m017-bookmarks-by-path.ts';
import { m018Departures } from './m018-departures.ts';
import { m019RecordOwner } from './m019-record-owner.ts';
import type { Migration } from './migration.ts';

/** Every migration in order, shared by both databases. A released migration never changes. */
export const migrations: readonly Migration[] = [
  m001FirstSchema,
  m002FrontMatter,
  m003SharesByTime,
  m004CatchUp,
  m005ConflictBase,
  m006NarrowKeys,
  m007ContentIndex,
  m008AccessEpoch,
  m009Scrub,
  m010DisabledPeople,
  m011ProviderSignIns,
  m012Audit,
  m013FormerIncarnations,
  m014ContentIndexParts,
  m015SignsAsLetters,
  m016SmallContentParts,
  m017BookmarksByPath,
  m018Departures,
  m019RecordOwner,
];
