import type { Migration } from './migration.ts';

/**
 * Somebody at a provider is one person here, even when they come twice at one moment. Passwords have a row for each person
 * already: their `accountId` is the person's id.
 */
export const m011ProviderSignIns: Migration = {
  number: 11,
  name: 'sign-ins by a provider',
  statements: () => ['create unique index account_by_sign_in on "account" ("providerId", "accountId")'],
};
