import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '../../src/text/en');

/** The texts of `Notifications`, with 2 for each value. */
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

test('each text of the notices exists once among the texts', async () => {
  const written: string[] = [];
  for await (const file of glob('*.ts', { cwd: folder }))
    written.push(...(await readTexts(await import(join(folder, file)))));
  for (const notice of notices)
    assert.equal(written.filter((text) => text === notice).length, 1, `${JSON.stringify(notice)}`);
});

/** Returns all texts below a value, with 2 for each parameter. */
async function readTexts(value: unknown): Promise<readonly string[]> {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return [String(filledIn(value as (...parts: number[]) => unknown))];
  if (typeof value !== 'object' || value === null) return [];
  return (await Promise.all(Object.values(value).map(readTexts))).flat();
}

/** Returns no text for a function that needs a record, because no notice is made from one. */
function filledIn(text: (...parts: number[]) => unknown): unknown {
  try {
    return text(...Array.from({ length: text.length }, () => 2));
  } catch (error) {
    if (error instanceof TypeError) return '';
    throw error;
  }
}
