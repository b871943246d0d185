import { m001Foundation } from './m001-foundation.ts';
import { m002Members } from './m002-members.ts';
import { m003DeviceCodes } from './m003-device-codes.ts';
import { m004Shares } from './m004-shares.ts';
import { m005Comments } from './m005-comments.ts';
import { m006MemberSince } from './m006-member-since.ts';
import { m007CommitAttempts } from './m007-commit-attempts.ts';
import { m008ServerSecrets } from './m008-server-secrets.ts';
import { m009PathKeys } from './m009-path-keys.ts';
import type { Migration } from './migration.ts';

/** Every step of the schema in order, shared by both databases. A released step is never edited. */
export const migrations: readonly Migration[] = [
  m001Foundation,
  m002Members,
  m003DeviceCodes,
  m004Shares,
  m005Comments,
  m006MemberSince,
  m007CommitAttempts,
  m008ServerSecrets,
  m009PathKeys,
];
