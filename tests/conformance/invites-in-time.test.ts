import { after, test } from 'node:test';
import { adjustableClock } from '../support/adjustable-clock.ts';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { acceptInvite, createInvite } from '../support/invites.ts';
import { signUp } from '../support/people.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const clock = await adjustableClock({ standing: true });
const { client: server } = await useOwnService(clock.variables);
after(() => clock[Symbol.asyncDispose]());
const dayMs = 24 * 60 * 60 * 1000;

test(
  ...claims('members.invite-used-up', 'a link works until its last day is over, and not longer'),
  async () => {
    const ada = await signUp(server, 'Ada');
    const workspace = await createWorkspace(ada);
    const { token } = await createInvite(ada, workspace.id, { expiresInDays: 2 });
    await clock.advance(2 * dayMs - 60_000);
    const bob = await signUp(server, 'Bob');
    assertStatus(await server.send('GET', `/api/invites/${token}`), 200);
    assertStatus(await acceptInvite(bob.session, token), 200);
    await clock.advance(60_000);
    const eve = await signUp(server, 'Eve');
    assertRejection(await server.send('GET', `/api/invites/${token}`), 410);
    assertRejection(await acceptInvite(eve.session, token), 410);
    assertStatus(await acceptInvite(bob.session, token), 200);
  },
);
