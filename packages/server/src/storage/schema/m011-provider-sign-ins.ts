import type { Migration } from './migration.ts';

/**
 * An account at a provider belongs to one user here, even after two concurrent sign-ins. Passwords already have one row
 * per user: their `accountId` is the user's id.
 */
export const m011ProviderSignIns: Migration = {
  number: 11,
  name: 'sign-ins by a provider',
  statements: () => ['create unique index account_by_sign_in on "account" ("providerId", "accountId")'],
};
