import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '../../src/text/en');

/** What `Notifications` says, with 2 for all that is filled in. */
const notices: readonly string[] = [
  'Undo',
  'Deleted 2.',
  'Restored 2.',
  '2 could not be restored: 2',
  'Renamed to 2.',
  'Moved 2 to 2.',
  '2 is private. Only you can see it.',
  'Members can see 2 again.',
  'Icon set.',
  'Icon removed.',
  '2 is now number 2 of 2.',
  'Link copied.',
  'Path copied.',
  'Copied.',
  'Address copied.',
  'Key copied.',
  'Press 2+C.',
  'Merged and saved as version 2.',
  'Your text is kept as 2.',
  'Replaced with your text (version 2).',
  '2 deleted.',
  'Uploaded 2.',
  'Uploaded 2 files.',
  '2 was already there.',
  'Restored the version from 2.',
  'Comment posted.',
  'Reply posted.',
  'Comment resolved.',
  'Comment reopened.',
  'Link created.',
  'Link revoked.',
  'Invite revoked.',
  'Key revoked.',
  'Saved.',
  '2 was moved to 2 by 2.',
  '2 is no longer available.',
  '2 was not possible: 2',
];

test('each sentence of the notices stands once among the texts', async () => {
  const written: string[] = [];
  for await (const file of glob('*.ts', { cwd: folder }))
    written.push(...(await readTexts(await import(join(folder, file)))));
  for (const notice of notices)
    assert.equal(written.filter((text) => text === notice).length, 1, `${JSON.stringify(notice)}`);
});

/** All texts below a value, those with something to fill in with 2 in each place. */
async function readTexts(value: unknown): Promise<readonly string[]> {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return [String(filledIn(value as (...parts: number[]) => unknown))];
  if (typeof value !== 'object' || value === null) return [];
  return (await Promise.all(Object.values(value).map(readTexts))).flat();
}

/** Nothing where a record is asked for: a sentence made from one is no notice. */
function filledIn(text: (...parts: number[]) => unknown): unknown {
  try {
    return text(...Array.from({ length: text.length }, () => 2));
  } catch (error) {
    if (error instanceof TypeError) return '';
    throw error;
  }
}
