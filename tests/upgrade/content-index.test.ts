import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { BackEnd } from '../support/back-end.ts';
import { assertStatus } from '../support/expect.ts';
import { openHttpClient } from '../support/http-client.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { type ApiKey, createKey, type Person, signUp } from '../support/people.ts';
import { filesWithPhrase, filesWithWords, untilIndexed } from '../support/searches.ts';
import { makeServiceHome, type ServiceHome } from '../support/service-home.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { createWorkspace, type WorkspaceClient, workspaceClient } from '../support/workspace-client.ts';

/** Enough for some steps of the indexing, so that searches run before its end. */
const files = 60;
const filler = 'Lines of a longer text that nobody looks for.\n'.repeat(800);
const textOf = (name: string) => `# ${name}\n\nThe lantern of ${name} was lit at dusk.\n\n${filler}`;

/** The tables of the index by n-grams, as the release before the index of words left them. */
const formerTables = `
  delete from schema_migration where number >= 20;
  drop table word_index, word_index_part, word_index_entry, word_index_list;
  create table content_index_place (
    workspace_id text collate "C" not null primary key, seq bigint not null, mark text collate "C" not null
  );
  create table content_index (
    id bigint generated always as identity, workspace_id text collate "C" not null,
    content_hash text collate "C" not null, is_text bigint not null, primary key (workspace_id, content_hash)
  );
  create index content_index_by_id on content_index (workspace_id, id);
  create table content_index_part (content_id bigint not null, folded text collate "C" not null);
  alter table content_index_part alter column folded set storage main;
  create index content_index_part_by_content on content_index_part (content_id);
  insert into content_index_place select id, 1, 'mark' from workspace;
  insert into content_index (workspace_id, content_hash, is_text) select id, 'a', 1 from workspace;
  insert into content_index_part (content_id, folded) select id, 'the lantern' from content_index;
  do $$ begin
    create extension if not exists pg_trgm;
    create index content_index_part_by_piece on content_index_part using gin (folded gin_trgm_ops);
  exception when others then raise notice 'this server has no pg_trgm'; end $$;`;

const assertNoFormerTables = `
  do $$ begin
    if to_regclass('content_index_part') is not null then raise exception 'the former tables are still there'; end if;
  end $$`;

function leaveFormerFile(file: string, workspaceId: string): void {
  using former = new DatabaseSync(file);
  const own = former
    .prepare(`select name from sqlite_schema where type = 'table'`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !/^(?:sqlite_|token_)/.test(name));
  for (const name of own) former.exec(`drop table ${name}`);
  former.exec(`
    create table space (
      number integer primary key autoincrement, workspace_id text not null unique, seq integer not null, mark text not null
    ) strict;
    create table content (
      id integer primary key autoincrement, space integer not null, content_hash text not null, is_text integer not null,
      unique (space, content_hash)
    ) strict;
    create index content_not_text on content (space, id) where is_text = 0;
    create table part (id integer primary key, content integer not null) strict;
    create table part_text (id integer primary key, text text not null) strict;
    create index part_of_content on part (content);
    create virtual table piece using fts5(
      text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
    );
    insert into content (space, content_hash, is_text) values (1, 'a', 1);
    insert into part (id, content) values (1, 1);
    insert into part_text (id, text) values (1, 'the lantern');
    insert into piece (rowid, text) values (1, 'the lantern');
    pragma user_version = 3`);
  former
    .prepare('insert into space (workspace_id, seq, mark) values (?, ?, ?)')
    .run(workspaceId, 1, 'a mark of it');
}

async function leaveFormerIndex(home: ServiceHome, workspaceId: string): Promise<void> {
  if (home.backEnd === 'sqlite-disk') {
    leaveFormerFile(join(String(home.variables.STOA_DATA_DIR), 'content-index.db'), workspaceId);
  } else {
    await home.changeRows(formerTables);
  }
}

interface Filled {
  readonly ada: Person;
  readonly workspace: WorkspaceClient;
  readonly robot: ApiKey;
  readonly visitor: ApiKey;
}

async function fill(service: ServiceProcess): Promise<Filled> {
  const client = openHttpClient(service.url);
  try {
    const ada = await signUp(client);
    const ben = await signUp(client, 'Ben');
    const robot = await createKey(ada);
    const visitor = await createKey(ben);
    const workspace = await createWorkspace(ada, robot.client);
    await joinWorkspace(workspace, ada, ben);
    for (let at = 0; at < files; at += 1) {
      assertStatus(await workspace.put(`${folderOf(at)}/note-${at}.md`, textOf(`keeper${at}`)), 201);
    }
    const node = { path: 'private', kind: 'folder', private: true };
    assertStatus(await workspace.send('PUT', '/node-private', { json: node }), 200);
    return { ada, workspace, robot, visitor };
  } finally {
    await client.close();
  }
}

function folderOf(at: number): string {
  return at % 10 === 0 ? 'private' : 'shared';
}

async function assertFinds(workspace: WorkspaceClient, expected: number, name: string): Promise<void> {
  assert.equal((await filesWithPhrase(workspace, `lantern of ${name}`)).length, expected, name);
  assert.equal((await filesWithWords(workspace, `${name} lit dusk `)).length, expected, name);
}

async function assertFindsAll(service: ServiceProcess, { workspace, robot, visitor }: Filled): Promise<void> {
  const client = openHttpClient(service.url);
  try {
    const owned = workspaceClient(client.as(robot.client.credentials), workspace.id, 0);
    const visited = workspaceClient(client.as(visitor.client.credentials), workspace.id, 0);
    // A file that all may see, and one that only its owner may see.
    await assertFinds(owned, 1, 'keeper17');
    await assertFinds(visited, 1, 'keeper17');
    await assertFinds(owned, 1, 'keeper20');
    await assertFinds(visited, 0, 'keeper20');
    assert.equal((await filesWithWords(owned, 'lantern ')).length, files);
    assert.equal((await filesWithWords(visited, 'lantern ')).length, files - files / 10);
  } finally {
    await client.close();
  }
}

for (const backEnd of ['sqlite-disk', 'postgres-disk'] satisfies readonly BackEnd[]) {
  test(`texts are found on ${backEnd} after an upgrade from the index by n-grams`, async () => {
    await using home = await makeServiceHome(backEnd);
    const before = await startService({}, { home });
    let filled: Filled;
    try {
      filled = await fill(before);
    } finally {
      await before.end('SIGTERM');
    }
    await leaveFormerIndex(home, filled.workspace.id);
    await using service = await startService({}, { home });
    // Before the index has them all.
    await assertFindsAll(service, filled);
    assert.equal(await untilIndexed(service), files);
    await assertFindsAll(service, filled);
    assert.doesNotMatch(service.log(), /content index/);
    if (backEnd === 'postgres-disk') await home.changeRows(assertNoFormerTables);
  });
}
