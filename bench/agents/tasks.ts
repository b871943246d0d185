import assert from 'node:assert/strict';
import { startThread } from '../../tests/support/comments.ts';
import { assertStatus } from '../../tests/support/expect.ts';
import { integerAt, jsonOf, textAt } from '../../tests/support/response.ts';
import type { Files, FolderLocation, StoaLocation } from './locations.ts';

/** A task of an agent's ordinary work, done with each tool set. Null if that set cannot do it. */
export interface AgentTask {
  readonly id: string;
  readonly what: string;
  readonly files: (share: number) => Files;
  readonly extended: (location: StoaLocation) => Promise<void>;
  readonly standard: ((location: StoaLocation) => Promise<void>) | null;
  readonly filesystem: ((location: FolderLocation) => Promise<void>) | null;
  /** The limits for the extended set. Bytes are the sum of both directions. */
  readonly ceiling: { readonly calls: number; readonly bytes: number };
}

const fillerText = 'The quick brown fox jumps over the lazy dog and comes back in the evening.\n';
const megabyte = 1_000_000;

function linesOf(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => line(number)).join('');
}

const largeText = () =>
  linesOf(Math.ceil(megabyte / 85), (number) => `${String(number).padStart(9, '0')} ${fillerText}`);
const oldLine = '000005000 The quick brown fox jumps';
const newLine = '000005000 The quick red fox jumps';

const logText = () =>
  linesOf(
    2_000,
    (number) => `2026-11-20T00:00:00Z INFO request ${number} took some milliseconds and was answered\n`,
  );
const logLine = '2026-11-21T09:00:00Z WARN the disk is nearly full\n';

const claims = Array.from({ length: 10 }, (_, number) => `Claim ${number}: it is so.`);
const paper = () => claims.map((claim) => `## Part\n\n${claim}\n\n${fillerText.repeat(25)}\n`).join('');

const report = () => `# Report\n\nStatus: open\n\n${fillerText.repeat(260)}\nOwner: nobody\n`;

const folders = 40;
const projectFiles = () =>
  new Map(
    Array.from({ length: folders }, (_, number) => [
      `docs/old-name/page-${number}.md`,
      `# Page ${number}\n\n${fillerText.repeat(10)}`,
    ]),
  );

const phrase = 'Falcon handover';
const notesOf = (count: number) =>
  new Map(
    Array.from({ length: count }, (_, number) => [
      `notes/note-${number}.md`,
      `# Note ${number}\n\n${fillerText.repeat(32)}${number < 12 ? `The ${phrase} is in week 14.\n` : ''}`,
    ]),
  );

const [oldWord, newWord, wordFiles] = ['Merlin', 'Kestrel', 14];
const pagesWithWord = () =>
  new Map(
    Array.from({ length: 40 }, (_, number) => [
      `pages/page-${number}.md`,
      `# Page ${number}\n\n${number < wordFiles ? `It runs on ${oldWord}.\n` : ''}${fillerText.repeat(15)}`,
    ]),
  );

/** In the order of the table. */
export const agentTasks: readonly AgentTask[] = [
  {
    id: 'a',
    what: 'change one line of a 1 MB file',
    files: () => new Map([['big.md', largeText()]]),
    async extended({ agent }) {
      const edits = [{ oldText: oldLine, newText: newLine }];
      assert.equal((await agent.call('edit_file', { path: 'big.md', edits })).data.ok, true);
    },
    async standard({ agent }) {
      const { data } = await agent.call('read_file', { path: 'big.md', offset: 0, maxBytes: megabyte * 2 });
      const content = String(data.content).replace(oldLine, newLine);
      await agent.call('write_file', { path: 'big.md', content, baseVersion: integerAt(data, 'version') });
    },
    async filesystem({ agent, folder }) {
      const edits = [{ oldText: oldLine, newText: newLine }];
      await agent.call('edit_file', { path: `${folder}/big.md`, edits });
    },
    ceiling: { calls: 1, bytes: 220 },
  },
  {
    id: 'b',
    what: 'add a line to a log of 170 KB',
    files: () => new Map([['agent.log', logText()]]),
    async extended({ agent }) {
      await agent.call('append_file', { path: 'agent.log', content: logLine });
    },
    async standard({ agent }) {
      const { data } = await agent.call('read_file', { path: 'agent.log' });
      const content = String(data.content) + logLine;
      await agent.call('write_file', { path: 'agent.log', content, baseVersion: integerAt(data, 'version') });
    },
    async filesystem({ agent, folder }) {
      const path = `${folder}/agent.log`;
      await agent.call('read_text_file', { path, tail: 1 });
      const oldText = logText().trimEnd().split('\n').at(-1) ?? '';
      const newText = `${oldText}\n${logLine.trimEnd()}`;
      await agent.call('edit_file', { path, edits: [{ oldText, newText }] });
    },
    ceiling: { calls: 1, bytes: 170 },
  },
  {
    id: 'c',
    what: 'find a phrase in 12 of 500 notes',
    files: (share) => notesOf(Math.max(14, Math.round(500 * share))),
    async extended({ agent }) {
      const { seen } = await agent.call('search_content', { query: phrase });
      assert.match(seen, /^12 lines in 12 of /);
    },
    async standard({ agent }) {
      const { seen } = await agent.call('list_files', {});
      for (const path of seen.match(/notes\/\S+\.md/g) ?? []) await agent.call('read_file', { path });
    },
    async filesystem({ agent, folder }) {
      const { seen } = await agent.call('list_directory', { path: `${folder}/notes` });
      const paths = [...seen.matchAll(/\S+\.md/g)].map(([name]) => `${folder}/notes/${name}`);
      for (let at = 0; at < paths.length; at += 50) {
        await agent.call('read_multiple_files', { paths: paths.slice(at, at + 50) });
      }
    },
    ceiling: { calls: 1, bytes: 1_000 },
  },
  {
    id: 'd',
    what: 'change a 20 KB file that another user changed elsewhere',
    files: () => new Map([['report.md', report()]]),
    async extended({ agent, other }) {
      assertStatus(await other.put('report.md', report().replace('nobody', 'Grace'), { ifMatch: 1 }), 200);
      const edits = [{ oldText: 'Status: open', newText: 'Status: done' }];
      const { data } = await agent.call('edit_file', { path: 'report.md', edits, baseVersion: 1 });
      assert.equal(data.ok, true);
      const now = (await other.get('report.md')).bytes.toString();
      assert.equal(now, report().replace('nobody', 'Grace').replace('Status: open', 'Status: done'));
    },
    async standard({ agent, other }) {
      const first = await agent.call('read_file', { path: 'report.md' });
      assertStatus(await other.put('report.md', report().replace('nobody', 'Grace'), { ifMatch: 1 }), 200);
      const mine = String(first.data.content).replace('Status: open', 'Status: done');
      const lost = await agent.call('write_file', { path: 'report.md', content: mine, baseVersion: 1 });
      const second = await agent.call('read_file', { path: 'report.md' });
      const merged = String(second.data.content).replace('Status: open', 'Status: done');
      await agent.call('write_file', { path: 'report.md', content: merged, baseVersion: 2 });
      await agent.call('delete_file', { path: String(lost.data.conflictCopyPath), baseVersion: 1 });
    },
    filesystem: null,
    ceiling: { calls: 1, bytes: 260 },
  },
  {
    id: 'e',
    what: 'answer ten comments on a 20 KB file',
    files: () => new Map([['paper.md', paper()]]),
    async extended(location) {
      const threads = await commentOnClaims(location);
      const { agent } = location;
      await agent.call('list_comments', { path: 'paper.md', brief: true });
      const edits = claims.map((claim) => ({
        oldText: claim,
        newText: claim.replace('it is so', 'it was so'),
      }));
      assert.equal((await agent.call('edit_file', { path: 'paper.md', edits })).data.ok, true);
      const responses = threads.map((threadId) => ({ threadId, body: 'Done.', resolved: true }));
      assert.equal((await agent.call('answer_comments', { answers: responses })).data.ok, true);
    },
    async standard(location) {
      const threads = await commentOnClaims(location);
      const { agent } = location;
      await agent.call('list_comments', { path: 'paper.md' });
      const { data } = await agent.call('read_file', { path: 'paper.md' });
      const content = String(data.content).replaceAll('it is so', 'it was so');
      await agent.call('write_file', { path: 'paper.md', content, baseVersion: 1 });
      for (const threadId of threads) {
        await agent.call('reply_comment', { threadId, body: 'Done.' });
        await agent.call('resolve_comment', { threadId, resolved: true });
      }
    },
    filesystem: null,
    ceiling: { calls: 3, bytes: 3_600 },
  },
  {
    id: 'f',
    what: 'see what others changed since the last call: 12 files, one moved, one deleted',
    files: () => new Map(Array.from({ length: 30 }, (_, number) => [`notes/note-${number}.md`, fillerText])),
    async extended({ agent, other, session }) {
      // The position that its last result named.
      const since = String(integerAt(jsonOf(await session.query('changes', { limit: 0 })), 'head'));
      for (let number = 0; number < 12; number += 1) {
        assertStatus(
          await other.put(`notes/note-${number}.md`, `Changed. ${fillerText}`, { ifMatch: 1 }),
          200,
        );
      }
      assertStatus(await other.post('move', { from: 'notes/note-12.md', to: 'archive/one.md' }), 200);
      assertStatus(await other.remove('notes/note-13.md', 1), 204);
      const { seen } = await agent.call('catch_up', { since });
      assert.match(seen, /^14 files changed by others/);
    },
    standard: null,
    filesystem: null,
    ceiling: { calls: 1, bytes: 950 },
  },
  {
    id: 'g',
    what: 'read 50 lines from the middle of a 4.4 MB file',
    files: () => new Map([['big.log', linesOf(50_000, (number) => `${number} ${fillerText}`)]]),
    async extended({ agent }) {
      const { seen } = await agent.call('read_lines', { path: 'big.log', from: 20_000, count: 50 });
      assert.match(seen, /\n19999 The quick/);
    },
    standard: null,
    filesystem: null,
    ceiling: { calls: 1, bytes: 5_000 },
  },
  {
    id: 'h',
    what: 'look over 2,000 files in 50 folders',
    files: (share) =>
      new Map(
        Array.from({ length: Math.round(2_000 * share) }, (_, number) => [
          `area-${number % 5}/topic-${number % 50}/page-${String(number).padStart(4, '0')}-of-the-handbook.md`,
          'x\n',
        ]),
      ),
    async extended({ agent }) {
      const { seen } = await agent.call('list_files', { depth: 2 });
      assert.match(seen, /topic-49/);
    },
    async standard({ agent }) {
      for (let offset = 0; ; ) {
        const { seen } = await agent.call('list_files', { offset });
        const next = /offset:? (\d+)/.exec(seen.slice(-200))?.[1];
        if (next === undefined) return;
        offset = Number(next);
      }
    },
    async filesystem({ agent, folder }) {
      await agent.call('directory_tree', { path: folder });
    },
    ceiling: { calls: 1, bytes: 1_500 },
  },
  {
    id: 'i',
    what: 'rename a folder of 40 files',
    files: projectFiles,
    async extended({ agent }) {
      await agent.call('move_file', { from: 'docs/old-name', to: 'docs/new-name' });
    },
    async standard({ agent }) {
      for (let number = 0; number < folders; number += 1) {
        const name = `page-${number}.md`;
        await agent.call('move_file', { from: `docs/old-name/${name}`, to: `docs/new-name/${name}` });
      }
    },
    async filesystem({ agent, folder }) {
      const [source, destination] = [`${folder}/docs/old-name`, `${folder}/docs/new-name`];
      await agent.call('move_file', { source, destination });
    },
    ceiling: { calls: 1, bytes: 170 },
  },
  {
    id: 'j',
    what: 'rename a word in 14 of 40 files',
    files: () => pagesWithWord(),
    async extended({ agent }) {
      const { seen } = await agent.call('search_content', { query: oldWord });
      const edits = [{ oldText: oldWord, newText: newWord, all: true }];
      const paths = [...seen.matchAll(/^(pages\/\S+) v1$/gm)].map(([, path]) => path);
      assert.equal(paths.length, wordFiles);
      for (const path of paths) await agent.call('edit_file', { path, edits });
    },
    async standard({ agent }) {
      for (const path of pagesWithWord().keys()) {
        const { data } = await agent.call('read_file', { path });
        const text = String(data.content);
        const content = text.replaceAll(oldWord, newWord);
        if (content !== text) await agent.call('write_file', { path, content, baseVersion: 1 });
      }
    },
    async filesystem({ agent, folder }) {
      const all = pagesWithWord();
      await agent.call('read_multiple_files', { paths: [...all.keys()].map((path) => `${folder}/${path}`) });
      const edits = [{ oldText: oldWord, newText: newWord }];
      for (const [path, text] of all) {
        if (text.includes(oldWord)) await agent.call('edit_file', { path: `${folder}/${path}`, edits });
      }
    },
    ceiling: { calls: 15, bytes: 3_300 },
  },
  {
    id: 'k',
    what: 'bring a conflicted copy of a 20 KB file together with its file',
    files: () => new Map([['report.md', report()]]),
    async extended(location) {
      const path = await loseRace(location);
      const { data } = await location.agent.call('resolve_conflict', { path });
      assert.equal(data.merged, true);
    },
    async standard(location) {
      const copy = await loseRace(location);
      const { agent } = location;
      await agent.call('read_file', { path: copy });
      const { data } = await agent.call('read_file', { path: 'report.md' });
      const content = String(data.content).replace('Status: open', 'Status: done');
      await agent.call('write_file', { path: 'report.md', content, baseVersion: 2 });
      await agent.call('delete_file', { path: copy, baseVersion: 1 });
    },
    filesystem: null,
    ceiling: { calls: 1, bytes: 220 },
  },
];

async function commentOnClaims({ session }: StoaLocation): Promise<readonly string[]> {
  const threads: string[] = [];
  for (const quote of claims) {
    const thread = await startThread(session, { path: 'paper.md', quote, body: 'Is it still so?' });
    threads.push(String(thread.id));
  }
  return threads;
}

/** @returns the path of the copy that a stale write made. */
async function loseRace({ session, other }: StoaLocation): Promise<string> {
  assertStatus(await session.put('report.md', report().replace('nobody', 'Grace'), { ifMatch: 1 }), 200);
  const stale = report().replace('Status: open', 'Status: done');
  const lost = await other.put('report.md', stale, { ifMatch: 1 });
  assertStatus(lost, 412);
  return textAt(jsonOf(lost), 'conflict_copy_path');
}
