import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, type Precondition } from '@stoa/client';
import { createKey, signUp } from '../../../tests/support/people.ts';
import { useOwnService } from '../../../tests/support/target.ts';

const { client: server, service } = await useOwnService({ STOA_SEED_WORKSPACES: 'false' });
const person = await signUp(server);
const { secret } = await createKey(person);
const created = await person.session.send('POST', '/api/workspaces', { json: { name: 'Notes' } });
assert.equal(created.status, 200);
const client = createStoaClient({ baseUrl: service.url, apiKey: secret });
const { id } = await client.workspace();

test('a service tells apart what was created, updated, there already, and kept aside', async () => {
  const write = async (text: string, precondition: Precondition) => {
    const outcome = await client.writeFile(id, 'plan.md', text, precondition);
    return 'version' in outcome ? `${outcome.kind} ${outcome.version}` : outcome.kind;
  };
  const told = [
    await write('one', { kind: 'absent' }),
    await write('one', { kind: 'absent' }),
    await write('two', { kind: 'version', version: 1 }),
    // The same bytes at the matching version are a new version, as the interface has it.
    await write('two', { kind: 'version', version: 2 }),
    await write('two', { kind: 'version', version: 1 }),
    await write('late', { kind: 'version', version: 1 }),
    await write('who knows', { kind: 'none' }),
  ];
  assert.deepEqual(told, [
    'created 1',
    'unchanged 1',
    'updated 2',
    'updated 3',
    'unchanged 3',
    'conflict',
    'precondition_required',
  ]);
});
