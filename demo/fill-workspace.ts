import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createStoaClient, type StoaClient, type WriteOutcome } from '@stoa/client';
import { type Account, makeAccount, makePassword, signUp } from './people.ts';

/** The secrets of a demo, which cannot be read from its service. */
export interface Demo {
  readonly people: readonly [Account, Account];
  readonly agentKey: string;
  readonly workspaceId: string;
  /** The password of the link that has one. */
  readonly linkPassword: string;
}

/** The paths of the demo's story: the links and the private item. */
export const locations = {
  plan: 'plans/opening-day.md',
  publicLink: 'guides/volunteers.md',
  passwordLink: 'plans/budget.csv',
  memberLink: 'calendar',
  privateItem: 'notes/about-ben.md',
  deleted: 'archive/name-ideas.md',
} as const;

const files = join(import.meta.dirname, 'files');
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Fills an empty service: Ada plans an opening day with Ben and an agent.
 * @param today the day before the appointments of the calendar.
 * @param domain the domain of the users' addresses; a different one for each fill of one service.
 */
export async function fillWorkspace(baseUrl: string, today: Date, domain = 'demo.example'): Promise<Demo> {
  const ada = makeAccount('Ada', `ada@${domain}`);
  const ben = makeAccount('Ben', `ben@${domain}`);
  const asAda = await signUp(baseUrl, ada);
  const created = await asAda.createWorkspace({ name: 'Harbour House', icon: '⚓', color: 'cyan' });
  if (created.kind !== 'created') throw new Error(`the workspace was not created: ${created.kind}`);
  const workspaceId = created.id;
  const invite = await asAda.createInvite({ workspaceId, maxUses: 1 });
  const token = new URL(invite.url).pathname.split('/').at(-1) ?? '';
  const asBen = await signUp(baseUrl, ben, token);
  await asBen.acceptInvite(token);
  const key = await asAda.createKey({ name: 'Scribe', actorType: 'agent', workspaceId });
  const team = { ada: asAda, ben: asBen, agent: createStoaClient({ baseUrl, apiKey: key.key }), workspaceId };

  await putFiles(team, today);
  await writePlanTogether(team);
  const linkPassword = makePassword();
  await arrange(team, linkPassword);
  return { people: [ada, ben], agentKey: key.key, workspaceId, linkPassword };
}

interface Team {
  readonly ada: StoaClient;
  readonly ben: StoaClient;
  readonly agent: StoaClient;
  readonly workspaceId: string;
}

async function putFiles({ ada, workspaceId }: Team, today: Date): Promise<void> {
  for (const path of (await Array.fromAsync(glob('**/*.*', { cwd: files }))).toSorted()) {
    const bytes = await readFile(join(files, path));
    const content = path.endsWith('.md') ? withDates(bytes.toString('utf8'), today) : new Uint8Array(bytes);
    // A new workspace has a README.md of its own, which ours replaces.
    const precondition =
      path === 'README.md' ? ({ kind: 'version', version: 1 } as const) : ({ kind: 'absent' } as const);
    versionOf(await ada.writeFile(workspaceId, path, content, precondition));
  }
}

function withDates(text: string, today: Date): string {
  return text.replaceAll(/\{\{today\+(\d+)\}\}/g, (_, days: string) =>
    new Date(today.getTime() + Number(days) * dayMs).toISOString().slice(0, 10),
  );
}

/** Makes versions, a lost race, and comments with replies, resolved and outdated, all on the one plan. */
async function writePlanTogether({ ada, ben, agent, workspaceId }: Team): Promise<void> {
  const path = locations.plan;
  const first = await readFile(join(files, path), 'utf8');
  const second = replaced(first, '- 10:00 Doors open.', '- 11:00 Doors open.').replace(
    '- 11:00 Tours',
    '- 11:30 Tours',
  );
  const write = async (client: StoaClient, text: string, version: number) =>
    client.writeFile(workspaceId, path, text, { kind: 'version', version });
  versionOf(await write(ben, second, 1));

  const start = async (client: StoaClient, quote: string, body: string): Promise<string> => {
    const started = await client.startThread(workspaceId, { path, kind: 'range', quote, body });
    if (started.kind !== 'created') throw new Error(`no thread on "${quote}": ${started.kind}`);
    return started.thread.id;
  };
  const inspection = await start(
    ada,
    'The kitchen needs a second inspection',
    'Who asks the inspector for a day?',
  );
  const booklets = await start(ben, 'We print 200 booklets.', 'We gave away 450 at the summer fair. 500?');
  const mayor = await start(ben, 'The mayor speaks in the courtyard.', 'Has she said yes?');
  await agent.reply(workspaceId, inspection, {
    body: 'It is in the calendar, three days from now. Ben lets the inspector in at nine.',
  });
  await agent.reply(workspaceId, mayor, {
    body: 'She has not answered since Monday. I take it out until she does.',
  });

  const withoutMayor = replaced(second, '- 12:00 The mayor speaks in the courtyard.\n', '');
  const third = replaced(withoutMayor, 'We print 200 booklets.', 'We print 500 booklets.').replace(
    'The speech moves under the arcade.',
    'Whatever is outside moves under the arcade.',
  );
  versionOf(await write(agent, third, 2));
  await agent.reply(workspaceId, booklets, { body: 'Changed to 500, and the budget allows it.' });
  await ben.setResolved(workspaceId, booklets, true);

  // Both have read version 3. Ada saves first.
  versionOf(await write(ada, replaced(third, 'status: draft', 'status: agreed'), 3));
  // One of Ben's changes does not overlap hers. The other one needs a decision.
  const bens = replaced(third, 'status: draft', 'status: waiting for the inspector');
  const late = await write(ben, `${bens}\nThe boats have to leave our steps by eight.\n`, 3);
  if (late.kind !== 'conflict') throw new Error(`the late write was ${late.kind}`);
}

async function arrange({ ada, ben, agent, workspaceId }: Team, password: string): Promise<void> {
  const about = '# About Ben\n\nHis birthday is on opening day. Cake: ask the kitchen, and not a word.\n';
  versionOf(await ada.writeFile(workspaceId, locations.privateItem, about, { kind: 'absent' }));
  await ada.setNodePrivate(workspaceId, { path: locations.privateItem, kind: 'file', private: true });
  await ben.deleteFile(workspaceId, locations.deleted, 1);
  await agent.move(workspaceId, { from: 'notes/week-1.md', to: 'notes/first-week.md' });
  await ada.setNodeIcon(workspaceId, 'calendar', '📅');
  await ada.setNodeOrder(workspaceId, ['README.md', 'plans', 'calendar', 'guides', 'notes', 'pictures']);
  await ada.createShare(workspaceId, { path: locations.publicLink, kind: 'file', access: 'public' });
  await ada.createShare(workspaceId, {
    path: locations.passwordLink,
    kind: 'file',
    access: 'public',
    password,
  });
  await agent.createShare(workspaceId, { path: locations.memberLink, kind: 'folder', access: 'member' });
}

function replaced(text: string, old: string, next: string): string {
  if (!text.includes(old)) throw new Error(`the plan does not contain "${old}"`);
  return text.replace(old, () => next);
}

function versionOf(outcome: WriteOutcome): number {
  if (outcome.kind === 'created' || outcome.kind === 'updated') return outcome.version;
  throw new Error(`a write of the demo failed with ${outcome.kind}`);
}
