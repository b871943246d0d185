import type { UserReader, UserRow } from '../ports/users.ts';

/** @param given the id of an account, or the e-mail address that it signs in with. */
export function findPerson(users: UserReader, given: string): Promise<UserRow | null> {
  return given.includes('@') ? users.findByEmail(given.toLowerCase()) : users.find(given);
}
