import type { ColumnTypes } from '../column-types.ts';

/** The sign-in library's own tables. At start it checks the names and which columns are nullable. */
export function peopleTables({ text, integer, heapTable }: ColumnTypes): string[] {
  return [
    `create table "user" (
      "id" ${text} not null primary key,
      "name" ${text} not null,
      "email" ${text} not null unique,
      "emailVerified" ${integer} not null,
      "image" ${text},
      "createdAt" ${text} not null,
      "updatedAt" ${text} not null,
      "disabledAt" ${integer}
    ) ${heapTable}`,
    `create index user_by_creation on "user" ("createdAt", "id")`,
    `create table "session" (
      "id" ${text} not null primary key,
      "expiresAt" ${text} not null,
      "token" ${text} not null unique,
      "createdAt" ${text} not null,
      "updatedAt" ${text} not null,
      "ipAddress" ${text},
      "userAgent" ${text},
      "userId" ${text} not null references "user" ("id") on delete cascade
    ) ${heapTable}`,
    `create index session_by_user on "session" ("userId")`,
    `create table "account" (
      "id" ${text} not null primary key,
      "accountId" ${text} not null,
      "providerId" ${text} not null,
      "userId" ${text} not null references "user" ("id") on delete cascade,
      "accessToken" ${text},
      "refreshToken" ${text},
      "idToken" ${text},
      "accessTokenExpiresAt" ${text},
      "refreshTokenExpiresAt" ${text},
      "scope" ${text},
      "password" ${text},
      "createdAt" ${text} not null,
      "updatedAt" ${text} not null
    ) ${heapTable}`,
    `create index account_by_user on "account" ("userId")`,
    'create unique index account_by_sign_in on "account" ("providerId", "accountId")',
    `create table "verification" (
      "id" ${text} not null primary key,
      "identifier" ${text} not null,
      "value" ${text} not null,
      "expiresAt" ${text} not null,
      "createdAt" ${text} not null,
      "updatedAt" ${text} not null
    ) ${heapTable}`,
    `create index verification_by_identifier on "verification" ("identifier")`,
  ];
}
