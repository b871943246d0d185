import { RejectedExport } from '../service/exporting/format.ts';

/**
 * Parses the file that gives people of an export an account here. Each line holds the number or the e-mail address of a
 * person in the export, white space, and the id of an account. Blank lines and lines that begin with # are skipped.
 * @returns the ids of accounts by number or address, in lower case
 * @throws RejectedExport for any other line, and for a person that is named twice
 */
export function parsePeopleFile(text: string): ReadonlyMap<string, string> {
  const accounts = new Map<string, string>();
  for (const [at, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const words = line.trim().split(/\s+/);
    if (words[0] === '' || words[0]?.startsWith('#') === true) continue;
    const [person = '', accountId = '', ...more] = words;
    if (accountId === '' || accountId.includes('@') || more.length > 0) {
      throw new RejectedExport(
        `Line ${at + 1} of --people must be "<person or e-mail of the export> <account id>". \`npm run admin -- user list\` shows the ids.`,
      );
    }
    const key = person.toLowerCase();
    if (accounts.has(key)) throw new RejectedExport(`Line ${at + 1} of --people names ${person} again.`);
    accounts.set(key, accountId);
  }
  return accounts;
}
