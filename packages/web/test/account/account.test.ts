import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserOf } from '../../src/account/browser-name.ts';
import { missingField } from '../../src/account/credentials.ts';

test('a session is named by browser and system', () => {
  const edge =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0';
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
  assert.deepEqual(browserOf(edge), { browser: 'Edge', system: 'Windows' });
  assert.deepEqual(browserOf(safari), { browser: 'Safari', system: 'iOS' });
  assert.deepEqual(browserOf('curl/8.9.1'), { browser: 'curl', system: null });
  assert.equal(browserOf('something else'), null);
  assert.equal(browserOf(null), null);
});

test('the first invalid field is named', () => {
  const person = { name: 'Ada', email: 'ada@example.org', password: 'correct horse' };
  const field = (values: typeof person, isNew = true) => {
    const found = missingField(values, { isNew });
    return found?.kind === 'text' ? found.field : found;
  };
  assert.equal(field(person), null);
  assert.equal(field({ ...person, name: ' ', email: '' }), 'name');
  assert.equal(field({ ...person, email: '' }), 'email');
  assert.equal(field({ ...person, password: 'short' }), 'password');
  assert.equal(field({ ...person, password: 'short' }, false), null);
});
