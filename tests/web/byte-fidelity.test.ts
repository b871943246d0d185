import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corpus } from '../../packages/web/test/editing/corpus.ts';
import { atWork, editor, says } from './support/at-work.ts';
import { goTo } from './support/go-to.ts';
import { useApp } from './support/use-app.ts';

/** Laying out a line of 5 MB takes long, and a busy machine takes many times that. */
const actionMsMax = 300_000;

const app = await useApp();

test('W3: the real editor changes the typed character and no other byte', app.options, async (t) => {
  const { ada, workspace } = await atWork(app.client);
  for (const [name, text] of corpus)
    assert.equal((await workspace.put(`${name}.md`, text, { contentType: 'text/markdown' })).status, 201);
  const page = await app.open(t, { as: ada });
  page.setDefaultTimeout(actionMsMax);
  await page.goto(`/w/${workspace.id}`);
  for (const [name] of corpus) {
    const file = `${name}.md`;
    await goTo(page, `/w/${workspace.id}/f/${encodeURIComponent(file)}?mode=edit`);
    await editor(page, file).press('ControlOrMeta+Home');
    const notYet = says(page, 'Unsaved');
    await page.keyboard.type('x');
    await notYet;
    await page.keyboard.press('ControlOrMeta+s');
    await says(page, 'Saved');
  }
  for (const [name, text] of corpus) {
    const at = text.startsWith('\uFEFF') ? 1 : 0;
    const { bytes } = await workspace.get(`${name}.md`);
    assert.deepEqual(bytes, Buffer.from(`${text.slice(0, at)}x${text.slice(at)}`), name);
  }
});
