import { test } from 'node:test';
import { assertJson } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { useOwnService } from '../support/target.ts';
import { claims } from './claims.ts';

const modes = [
  ['first', 'first', 'invite'],
  ['open', 'first', 'open'],
] as const;

for (const [signup, before, then] of modes) {
  const { client } = await useOwnService({ STOA_SIGNUP: signup });
  test(
    ...claims('account.sign-up', `${signup}: the first person is waited for, then the answer is ${then}`),
    async () => {
      const appUrl = new URL(client.url).origin;
      assertJson(await client.send('GET', '/api/sign-up'), 200, { signUp: before, appUrl });
      const ada = await signUp(client);
      for (const caller of [client, ada.session, client]) {
        assertJson(await caller.send('GET', '/api/sign-up'), 200, { signUp: then, appUrl });
      }
    },
  );
}

const appUrl = 'https://app.stoa.example';
const { client: closed } = await useOwnService({ STOA_SIGNUP: 'closed', STOA_APP_URL: appUrl });

test(...claims('account.sign-up', 'closed: nobody is waited for, and the app is named'), async () => {
  assertJson(await closed.send('GET', '/api/sign-up'), 200, { signUp: 'closed', appUrl });
});
