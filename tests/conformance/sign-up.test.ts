import { test } from 'node:test';
import { assertJson } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { useOwnService } from '../support/target.ts';
import { claims } from './claims.ts';

const appUrl = 'https://app.stoa.example';
const [{ client: first }, { client: open }, { client: closed }] = await Promise.all([
  useOwnService({ STOA_SIGNUP: 'first' }),
  useOwnService({ STOA_SIGNUP: 'open' }),
  useOwnService({ STOA_SIGNUP: 'closed', STOA_APP_URL: appUrl }),
]);
const modes = [
  ['first', first, 'invite'],
  ['open', open, 'open'],
] as const;

for (const [signup, client, then] of modes) {
  test(
    ...claims('account.sign-up', `${signup}: sign-up is open for the first person, then ${then}`),
    async () => {
      const { origin } = new URL(client.url);
      assertJson(await client.send('GET', '/api/sign-up'), 200, { signUp: 'first', appUrl: origin });
      const ada = await signUp(client);
      for (const caller of [client, ada.session, client]) {
        assertJson(await caller.send('GET', '/api/sign-up'), 200, { signUp: then, appUrl: origin });
      }
    },
  );
}

test(...claims('account.sign-up', 'closed: no first person is awaited, and the app is named'), async () => {
  assertJson(await closed.send('GET', '/api/sign-up'), 200, { signUp: 'closed', appUrl });
});
