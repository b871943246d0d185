import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { feedWaitMaxSeconds, workspaceIconMaxCharacters } from '@stoa/contract';
import * as core from '@stoa/core';
import { tableBelow } from './markdown-table.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/interface/limits.md'), 'utf8');

const count = (limit: number) => (limit < 10_000 ? String(limit) : limit.toLocaleString('en-US'));
const characters = (limit: number) => `${limit} characters`;
const kib = (bytes: number) => `${bytes / 1024} KiB`;
const pageOf = (usual: number, max: number, of = '') => `${usual}${of} by default, ${max} at most`;

/** The first words of the page about each limit of the contract. */
const configured: Readonly<Record<string, string>> = {
  path: `${characters(core.pathMaxCharacters)}; ${core.pathSegmentMaxBytes} bytes a segment`,
  'stored content type': characters(core.contentTypeMaxCharacters),
  'workspace name': `1 to ${characters(core.workspaceNameMaxCharacters)}`,
  'workspace icon as text': characters(workspaceIconMaxCharacters),
  'workspace icon as image': `${core.workspaceImageMaxBytes / 1024 / 1024} MiB`,
  'theme CSS': kib(core.themeCssMaxBytes),
  'icon of a file or folder': characters(core.nodeIconMaxCharacters),
  'paths of one `node-order`': count(core.nodeOrderMaxPaths),
  'search query': `1 to ${characters(core.searchQueryMaxCharacters)}`,
  'search results': pageOf(core.searchLimitDefault, core.searchLimitMax),
  'text of a search in contents': `1 to ${characters(core.contentQueryMaxCharacters)}`,
  'lines of a search in contents': pageOf(core.contentLinesDefault, core.contentLinesMax),
  'lines around each': `${core.contentContextMax} at most`,
  'file that is searched': `${core.searchedFileMaxBytes / 1024 / 1024} MiB`,
  'feed page': pageOf(core.feedPageDefault, core.feedPageMax, ' changes'),
  'feed `wait`': `${feedWaitMaxSeconds} seconds`,
  'comment body, reply': kib(core.commentBodyMaxBytes),
  'comment quote': kib(core.quoteMaxBytes),
  'comment context, each side': `${core.contextMaxBytes} bytes`,
  '`dedupeKey`': characters(core.dedupeKeyMaxCharacters),
  'threads of one list': pageOf(core.threadPageDefault, core.threadPageMax),
  'replies of each thread in a list': pageOf(core.entryPageDefault, core.entryPageMax),
  'comments of a workspace, threads and replies together': count(core.commentsPerWorkspaceMax),
  'replies of a thread': count(core.repliesPerThreadMax),
  'links to one path': count(core.sharesPerPathMax),
  'links in the list of a workspace': count(core.sharesListedMax),
  'share password': `${core.sharePasswordMinCharacters} to ${characters(core.sharePasswordMaxCharacters)}`,
  'invite expiry': `${core.inviteDaysDefault} days by default, ${core.inviteDaysMax} at most`,
  'invite uses': count(core.inviteUsesMax),
  'invites of a workspace': count(core.invitesPerWorkspaceMax),
  'key name': characters(core.keyNameMaxCharacters),
  'keys of a person that work': count(core.keysPerPersonMax),
  'items of a workspace made private': count(core.privacyRecordsPerWorkspaceMax),
  'private items of people who left, one list': pageOf(
    core.formerMemberPageDefault,
    core.formerMemberPageMax,
  ),
  'device code': `${core.deviceCodeLifetimeSeconds} seconds`,
  'device poll': `every ${core.devicePollIntervalSeconds} seconds`,
};

test('docs/interface has the current limits', () => {
  const said = new Map(tableBelow(page, '# Limits').map(([what = '', value = '']) => [what, value]));
  for (const [what, value] of Object.entries(configured)) {
    assert.ok(said.get(what)?.startsWith(value), `${what}: ${said.get(what)}, but the limit is ${value}`);
  }
});
