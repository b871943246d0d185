import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { MemberRole } from '@stoa/core';
import { fullGrant, memberViewer } from '@stoa/core';
import { Client } from 'pg';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { unlimitedPlan } from '../../src/config/plans-file.ts';
import { viewerOf } from '../../src/service/access.ts';
import { acceptInviteScript } from '../../src/service/invites/accept-invite.ts';
import { insertKeyScript } from '../../src/service/keys/create-key.ts';
import { removeMemberScript } from '../../src/service/members/remove-member.ts';
import { admitAttemptScript } from '../../src/service/people/admit-attempt.ts';
import { countAttemptsScript } from '../../src/service/people/count-attempts.ts';
import { registerPersonScript } from '../../src/service/people/register-person.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import type { ChangeAuthor } from '../../src/service/script-steps.ts';
import { scripts as serviceScripts } from '../../src/service/scripts.ts';
import { createWorkspaceScript } from '../../src/service/workspaces/create-workspace.ts';
import { addMember, signedIn, withKey } from '../support/signed-in.ts';
import { countingScript, hiddenCountingScript } from './support/counting-scripts.ts';
import { openPostgresTestStore, type PostgresTestStore } from './support/open-postgres-test-store.ts';
import { createStoreDriver, path, type StoreDriver } from './support/store-driver.ts';
import { appendScript, askScript, type Step, stepsScript, storeScripts } from './support/store-scripts.ts';

const scripts = [...serviceScripts, ...storeScripts, countingScript, hiddenCountingScript];
const plan = { ...unlimitedPlan, id: 'small', workspaces: 3 };
const plans = { defaultPlanId: plan.id, plans: [plan], maxFileBytes: 1_000_000 };

describe('two nodes on one PostgreSQL database', () => {
  let server: PostgresServer;
  let url: string;
  let nodes: readonly PostgresTestStore[];
  let stores: readonly [MetadataStore, MetadataStore];
  let driver: StoreDriver;
  before(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    // Both open at once, as after a full restart: one of them makes the tables.
    const [a, b] = await Promise.all([
      openPostgresTestStore(url, { scripts, plans }),
      openPostgresTestStore(url, { scripts, plans }),
    ]);
    nodes = [a, b];
    stores = [a.store, b.store];
  });
  after(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    driver = await createStoreDriver(stores[0]);
  });

  const storeAt = (i: number): MetadataStore => stores[i % 2] ?? stores[0];
  /** Each on one of the nodes, all at once. */
  const onBoth = <Result>(times: number, act: (store: MetadataStore, i: number) => Promise<Result>) =>
    Promise.allSettled(Array.from({ length: times }, (_, i) => act(storeAt(i), i)));
  const fulfilled = (ended: readonly PromiseSettledResult<unknown>[]) =>
    ended.filter(({ status }) => status === 'fulfilled').length;
  const codesOf = (ended: readonly PromiseSettledResult<unknown>[]) =>
    ended.flatMap((end) => (end.status === 'rejected' ? [end.reason.code ?? String(end.reason)] : []));
  const newMember = async (workspaceId: string, role: MemberRole): Promise<ChangeAuthor> => {
    const { actor, credential, grant } = await signedIn(stores[0], `us_${randomUUID()}`);
    await addMember(stores[0], workspaceId, actor.userId, role);
    return { workspaceId, actor, viewer: viewerOf({ actor, grant }), credential, now: 5 };
  };

  it('one workspace assigns every number once and no version twice, whichever node writes', async () => {
    const { workspaceId } = driver;
    const write = async (store: MetadataStore, path: string) => {
      const seqs: number[] = [];
      let baseVersion = 0;
      while (seqs.length < 40) {
        const outcome = await store.transact(countingScript, { workspaceId, path, baseVersion });
        if (outcome.kind === 'written') seqs.push(outcome.seq);
        baseVersion = outcome.version;
      }
      return seqs;
    };
    // Two files that both nodes write, and one of each node's own.
    const ended = await onBoth(8, (store, i) => write(store, i < 4 ? `shared ${i % 2}` : `own ${i}`));
    assert.deepEqual(codesOf(ended), []);
    const seqs = ended.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
    assert.deepEqual(
      seqs.toSorted((a, b) => a - b),
      Array.from({ length: 320 }, (_, i) => i + 1),
    );
    const query = {
      workspaceId,
      viewer: memberViewer('us_a'),
      sinceSeq: 0,
      limit: 400,
      includeComments: true,
    };
    const { changes } = await stores[1].reader.changes.scan(query);
    const versions = new Map<string, number[]>();
    for (const { path, version } of changes) {
      versions.set(path, [...(versions.get(path) ?? []), version ?? 0]);
    }
    for (const [path, made] of versions) {
      assert.deepEqual(
        made,
        Array.from({ length: made.length }, (_, i) => i + 1),
        path,
      );
    }
  });

  it('a change that looks up its workspace itself is queued with the others', async () => {
    const { workspaceId } = driver;
    const ended = await onBoth(60, async (store, i) => {
      const write = { workspaceId, path: `file ${i}`, baseVersion: 0 };
      return i % 3 === 0
        ? await store.transact(hiddenCountingScript, { write })
        : await store.transact(countingScript, write);
    });
    assert.deepEqual(codesOf(ended), []);
    assert.equal(await stores[0].reader.changes.head(workspaceId), 60);
    const nowhere = { write: { workspaceId: 'ws_none', path: 'a', baseVersion: 0 } };
    await assert.rejects(stores[0].transact(hiddenCountingScript, nowhere), /has no counters/);
  });

  describe('a change that comes while a batch waits for another node', () => {
    let held: Client;
    /** A separate connection: within its transaction, `held` sees the activity only as of its start. */
    let watching: Client;
    const batches: number[] = [];
    let node: PostgresTestStore;
    before(async () => {
      held = new Client({ connectionString: url });
      watching = new Client({ connectionString: url });
      await Promise.all([held.connect(), watching.connect()]);
      node = await openPostgresTestStore(url, { scripts, plans, onBatch: (size) => batches.push(size) });
    });
    after(async () => {
      await Promise.all([held.end(), watching.end()]);
      await node[Symbol.asyncDispose]();
    });
    beforeEach(() => void batches.splice(0));
    const someoneWaits = async () => {
      const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      for (let looks = 0; looks < 10_000; looks += 1) {
        if ((await watching.query({ text: waits })).rowCount === 1) return;
      }
      assert.fail('nobody waits');
    };

    it('shares its commit, and rejected ones leave no trace', async () => {
      const { workspaceId } = driver;
      const append = (name: string) => node.store.transact(appendScript, { workspaceId, path: name });
      await held.query('begin');
      await held.query({
        text: 'select seq from workspace_counter where workspace_id = $1 for update',
        values: [workspaceId],
      });
      const first = append('first');
      await someoneWaits();
      const others = Promise.allSettled([
        append('second'),
        node.store.transact(stepsScript, {
          ending: 'refuse',
          steps: [['takeSeqs', workspaceId, 5, {}]],
          // Names its queue.
          workspaceId,
        } as never),
        append('third'),
      ]);
      await held.query('commit');
      assert.equal(await first, 1);
      assert.deepEqual(
        (await others).map((ended) => (ended.status === 'fulfilled' ? ended.value : 'refused')),
        [2, 'refused', 3],
      );
      assert.deepEqual(batches, [4]);
      assert.equal(await node.store.reader.changes.head(workspaceId), 3);
    });

    it('checks again whether its key is valid', async () => {
      const { workspaceId } = driver;
      const person = await signedIn(stores[0], `us_${randomUUID()}`);
      const { userId } = person.actor;
      const { credential } = await withKey(stores[0], person, `key_${randomUUID()}`);
      const ask = (step: Step | null) =>
        node.store.transact(askScript, { workspaceId, userId, keyId: credential.credentialId, step });
      const { incarnation } = driver.file(path('held'));
      await held.query('begin');
      await held.query({
        text: `insert into file (workspace_id, path, incarnation, version, size_bytes, content_type, content_hash)
          values ($1, 'held', $2, 1, 1, 'text/plain', 'none')`,
        values: [workspaceId, incarnation],
      });
      const first = ask(['putFile', driver.file(path('held'))]);
      await someoneWaits();
      await stores[0].transact(stepsScript, {
        ending: 'commit',
        steps: [['revokeKey', credential.credentialId, 50]],
      });
      const second = ask(null);
      await held.query('rollback');
      assert.deepEqual([(await first).keyDeletedAt, (await second).keyDeletedAt], [null, 50]);
      assert.deepEqual(batches, [2]);
    });
  });

  it("a node is notified of the other's changes, and once of its own", async () => {
    const { workspaceId } = driver;
    const append = (store: MetadataStore) => store.transact(appendScript, { workspaceId, path: 'a' });
    const nextNotification = (store: MetadataStore) =>
      new Promise<readonly string[]>((resolve) => {
        const end = store.onChange((ids) => {
          if (!ids.includes(workspaceId)) return;
          end();
          resolve(ids);
        });
      });
    let own = 0;
    const end = stores[0].onChange((ids) => {
      if (ids.includes(workspaceId)) own += 1;
    });
    const notification = nextNotification(stores[1]);
    await append(stores[0]);
    assert.deepEqual(await notification, [workspaceId]);
    assert.equal(await stores[1].reader.changes.head(workspaceId), 1);
    assert.equal(own, 1);
    end();
    // A notification can be lost with the session that listens; the next session brings them again.
    const listening = `pid <> pg_backend_pid() and datname = current_database() and query ilike 'listen%'`;
    await server.run(
      new URL(url).pathname.slice(1),
      `select pg_terminate_backend(pid) from pg_stat_activity where ${listening}`,
    );
    let reported = false;
    void nextNotification(stores[1]).then(() => {
      reported = true;
    });
    while (!reported) await append(stores[0]);
  });

  it('of too many workspaces made at once, exactly as many as the plan allows are made', async () => {
    const userId = `us_${randomUUID()}`;
    const caller = await signedIn(stores[0], userId);
    const command = { ...caller, now: 5, name: 'W', icon: null, color: null, files: [] };
    const ended = await onBoth(12, (store) =>
      store.transact(createWorkspaceScript, { ...command, workspaceId: `ws_${randomUUID()}` }),
    );
    assert.equal(fulfilled(ended), 3);
    assert.deepEqual(new Set(codesOf(ended)), new Set(['workspace_limit_exceeded']));
    assert.equal((await stores[1].reader.workspaces.listOf(userId)).length, 3);
  });

  it('an invite for three admits three users, and none of them twice', async () => {
    const { workspaceId } = driver;
    const tokenHash = randomUUID();
    const invite = { id: `inv_${randomUUID()}`, workspaceId, createdBy: 'us_owner', createdAt: 1 };
    await driver.run(['insertInvite', { ...invite, tokenHash, expiresAt: 1000, maxUses: 3, usesLeft: 3 }]);
    const people = await Promise.all(
      Array.from({ length: 9 }, () => signedIn(stores[0], `us_${randomUUID()}`)),
    );
    const ended = await onBoth(18, (store, i) => {
      const newcomer = people[i % 9];
      assert.ok(newcomer);
      return store.transact(acceptInviteScript, { ...newcomer, tokenHash, now: 5 });
    });
    const members = await stores[0].reader.members.listOf(workspaceId);
    assert.equal(members.length, 3);
    assert.equal(fulfilled(ended), 6);
    assert.deepEqual(new Set(codesOf(ended)), new Set(['invite_gone']));
    assert.equal((await stores[0].reader.invites.findByHash(tokenHash))?.usesLeft, 0);
  });

  it('of two owners who leave at once one stays', async () => {
    const { workspaceId } = driver;
    const owners = [await newMember(workspaceId, 'owner'), await newMember(workspaceId, 'owner')];
    const ended = await onBoth(2, (store, i) => {
      const owner = owners[i];
      assert.ok(owner);
      return store.transact(removeMemberScript, { ...owner, userId: owner.actor.userId });
    });
    assert.deepEqual(codesOf(ended), ['last_owner']);
    assert.equal(await stores[0].reader.members.countOwners(workspaceId), 1);
  });

  it('no key outlives the membership of its owner, however close its making and the removal are', async () => {
    const { workspaceId } = driver;
    const owner = await newMember(workspaceId, 'owner');
    const outcomes = new Set<string>();
    for (let round = 0; round < 60; round += 1) {
      const maker = await newMember(workspaceId, 'member');
      const { userId } = maker.actor;
      const keyId = `key_${randomUUID()}`;
      const key = { id: keyId, secretHash: keyId, start: 'stoa_', maker, workspaceId, name: 'k' };
      const [made] = await Promise.allSettled([
        storeAt(round).transact(insertKeyScript, {
          ...key,
          principal: 'agent',
          ...fullGrant,
          expiresAt: null,
          expiresInDays: null,
        }),
        storeAt(round + 1).transact(removeMemberScript, { ...owner, userId }),
      ]);
      const kept = await stores[0].reader.keys.find(keyId);
      outcomes.add(made.status === 'fulfilled' ? 'revoked' : made.reason.code);
      assert.equal(kept?.deletedAt ?? null, made.status === 'fulfilled' ? 5 : null, `round ${round}`);
    }
    for (const outcome of outcomes) assert.ok(['revoked', 'not_a_member'].includes(outcome), outcome);
  });

  it('attempts on both nodes count together', async () => {
    const bucket = randomUUID();
    const limit = { max: 5, windowSeconds: 60 };
    const admitted = await onBoth(20, (store) =>
      store.transact(admitAttemptScript, { bucket, limit, now: 1000 }),
    );
    assert.equal(fulfilled(admitted), 5);
    assert.deepEqual(new Set(codesOf(admitted)), new Set(['rate_limited']));
    const counted = await onBoth(30, (store) =>
      store.transact(countAttemptsScript, {
        counts: [{ bucket, max: 12 }],
        windowStart: 0,
        windowEnd: 60_000,
      }),
    );
    const within = counted.filter((end) => end.status === 'fulfilled' && end.value);
    assert.equal(within.length, 12);
  });

  it('of visitors who all find no account one becomes the first', async () => {
    const empty = await server.createDatabase();
    await using first = await openPostgresTestStore(empty, { scripts, plans });
    await using second = await openPostgresTestStore(empty, { scripts, plans });
    const registrar = { kind: 'visitor', signup: 'first', inviteTokenHash: null } as const;
    const ended = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 === 0 ? first : second).store.transact(registerPersonScript, {
          userId: `us_${i}`,
          accountRowId: `account_${i}`,
          email: `person${i}@example.org`,
          name: `Person ${i}`,
          passwordHash: 'x',
          registrar,
          createdAt: 1,
        }),
      ),
    );
    assert.equal(fulfilled(ended), 1);
    assert.deepEqual(new Set(codesOf(ended)), new Set(['registration_closed']));
    assert.equal(await second.store.reader.users.count(), 1);
  });
});
