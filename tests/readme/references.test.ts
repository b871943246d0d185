import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { before, test } from 'node:test';
import { routes } from '@stoa/contract';
import { errorRows } from '../../scripts/errors-table.ts';

const root = join(import.meta.dirname, '../..');
const sourceFolders = ['packages', 'tests', 'scripts', 'bench', 'deploy'];
const skipped: ReadonlySet<string> = new Set(['node_modules', 'dist', 'results', 'data']);
const isSource = (file: string) => /\.(?:ts|tsx|js|mjs|cjs|css|yaml|sh)$/.test(file);
const isPage = (file: string) => file.endsWith('.md');

interface Page {
  readonly text: string;
  readonly headings: ReadonlySet<string>;
  readonly anchors: ReadonlySet<string>;
}

const pages = new Map<string, Page>();

before(async () => {
  const rootPages = (await readdir(root)).filter(isPage).map((file) => join(root, file));
  const others = await Promise.all(['docs', ...sourceFolders].map((folder) => filesIn(folder, isPage)));
  for (const file of [...rootPages, ...others.flat()])
    pages.set(file, readPage(await readFile(file, 'utf8')));
});

test('references of comments to docs/interface and to decisions exist', async () => {
  const astray: string[] = [];
  let references = 0;
  for (const file of (await Promise.all(sourceFolders.map((folder) => filesIn(folder, isSource)))).flat()) {
    const source = await readFile(file, 'utf8');
    if (/\(specification[:]/i.test(source))
      astray.push(`${relative(root, file)}: refer to a heading of docs/interface`);
    // Files in tests may have any name.
    const isTest = relative(root, file)
      .split('/')
      .some((folder) => folder === 'test' || folder === 'tests');
    const found = isTest
      ? interfaceReferences(source)
      : [...interfaceReferences(source), ...pageReferences(source)];
    references += found.length;
    for (const reference of found) {
      const fault = faultOf(reference);
      if (fault !== null) astray.push(`${relative(root, file)}: ${reference.said}: ${fault}`);
    }
  }
  assert.deepEqual(astray, []);
  assert.ok(references > 80, `found only ${references} references: has their form changed?`);
});

test('finds a reference across the lines of a comment and reports a wrong one', () => {
  const comment =
    '/**\n * Moves a file (interface:\n * files, Move; feed, Nowhere). See docs/decisions/9999-gone.md.\n */';
  const references = [...interfaceReferences(comment), ...pageReferences(comment)];
  const faults = references.map((reference) => faultOf(reference));
  assert.deepEqual(faults, [null, 'the page has no such heading', 'there is no such file']);
});

test('links between documents lead to a page and to a heading', () => {
  const astray: string[] = [];
  for (const [file, { text }] of pages) {
    for (const [, target = ''] of withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', anchor] = target.split('#', 2);
      const page = path === '' ? file : join(dirname(file), path);
      const isThere = existsSync(page) && (anchor === undefined || pages.get(page)?.anchors.has(anchor));
      if (!isThere) astray.push(`${relative(root, file)}: ${target}`);
    }
  }
  assert.deepEqual(astray, []);
});

test('the index of decisions, and that of the interface, names every page', async () => {
  for (const folder of ['decisions', 'interface']) {
    const index = pages.get(join(root, 'docs', folder, 'README.md'))?.text ?? '';
    const missing = (await readdir(join(root, 'docs', folder))).filter(
      (file) => file !== 'README.md' && !index.includes(`(${file})`),
    );
    assert.deepEqual(missing, [], folder);
  }
});

test('the files and folders that the maps name exist', async () => {
  const files = (
    await Promise.all(
      ['packages', 'tests', 'scripts', 'bench', 'docs'].map((folder) => filesIn(folder, () => true)),
    )
  ).flat();
  const isThere = (path: string) =>
    existsSync(join(root, path)) ||
    files.some((file) => file.endsWith(`/${path}`) || file.includes(`/${path.replace(/\/$/, '')}/`));
  const missing: string[] = [];
  for (const page of [
    'AGENTS.md',
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/anchoring.md',
    'tests/README.md',
  ]) {
    const { text = '' } = pages.get(join(root, page)) ?? {};
    for (const [, path = ''] of text
      .replace(/^```[\s\S]*?^```/gm, '')
      .matchAll(/`([\w.-]+(?:\/[\w.-]*)*)`/g)) {
      const isPath = path.includes('/') || /\.(?:ts|mjs|md)$/.test(path);
      if (!isPath || /^(?:\.\/|application\/|text\/|image\/)/.test(path)) continue;
      if (!isThere(path)) missing.push(`${page}: ${path}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('the tests that docs/invariants.md names exist, by file and by title', async () => {
  const { text = '' } = pages.get(join(root, 'docs/invariants.md')) ?? {};
  const tests = (await Promise.all(['packages', 'tests'].map((folder) => filesIn(folder, isSource)))).flat();
  const sources = new Map<string, string>();
  for (const file of tests) sources.set(relative(root, file), await readFile(file, 'utf8'));
  const missing: string[] = [];
  for (const [, file = '', titles = ''] of text.matchAll(/`([\w/.-]+\.ts)`((?:,? "[^"]+")*)/g)) {
    const found = [...sources].filter(([path]) => path.endsWith(`/${file}`) || path === file);
    if (found.length === 0) missing.push(file);
    for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g)) {
      const [begins = ''] = title.split('…');
      if (!found.some(([, source]) => source.includes(begins))) missing.push(`${file}: ${title}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('the source names each decision where it depends on it', async () => {
  const files = (
    await Promise.all(['packages', 'scripts', 'bench'].map((folder) => filesIn(folder, isSource)))
  ).flat();
  const sources = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
  const decisions = (await readdir(join(root, 'docs/decisions'))).filter((file) => file !== 'README.md');
  assert.deepEqual(
    decisions.filter((file) => !sources.includes(`docs/decisions/${file}`)),
    [],
  );
});

test('every route is on a page of docs/interface', () => {
  const all = [...pages].filter(([file]) => file.includes('/docs/interface/')).map(([, { text }]) => text);
  const text = all.join('\n').replace(/…\//g, '');
  const missing = Object.values(routes).filter(
    ({ path }) => !text.includes(path) && !text.includes(path.replace('/api/workspaces/{workspaceId}/', '')),
  );
  assert.deepEqual(
    missing.map(({ method, path }) => `${method} ${path}`),
    [],
  );
});

test('docs/interface has the errors of the contract, as npm run openapi writes them', () => {
  const { text = '' } = pages.get(join(root, 'docs/interface/errors.md')) ?? {};
  const [, table = ''] = text.split('## Statuses and texts');
  assert.deepEqual(table.trimEnd().split('\n').slice(-errorRows().length), errorRows());
});

interface Reference {
  /** The reference as written in the source. */
  readonly said: string;
  readonly file: string;
  readonly heading: string | null;
}

/** `(interface: files, Write; errors, Order)` */
function interfaceReferences(source: string): readonly Reference[] {
  return [...inOneLine(source).matchAll(/\(interface: ([a-z][^)]*)\)/g)].flatMap(([, said = '']) =>
    said.split(';').map((part) => {
      const [page = '', heading = null] = part.split(',', 2).map((word) => word.trim());
      return { said: part.trim(), file: join(root, 'docs/interface', `${page}.md`), heading };
    }),
  );
}

/** `docs/decisions/0001-one-write-decision.md` */
function pageReferences(source: string): readonly Reference[] {
  return [...source.matchAll(/docs\/[\w./-]+\.md/g)].map(([said]) => ({
    said,
    file: join(root, said),
    heading: null,
  }));
}

/** Returns a source without the line breaks of its comments. */
function inOneLine(source: string): string {
  return source.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
}

function faultOf({ file, heading }: Reference): string | null {
  const page = pages.get(file);
  if (page === undefined) return 'there is no such file';
  return heading === null || page.headings.has(heading) ? null : 'the page has no such heading';
}

function readPage(text: string): Page {
  const headings = [...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading.trim(),
  );
  return { text, headings: new Set(headings), anchors: new Set(headings.map(anchorOf)) };
}

/** Returns the anchor of a heading as common Markdown viewers build it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function withoutCode(markdown: string): string {
  return markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ' '));
}

async function filesIn(folder: string, wanted: (file: string) => boolean): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      // Another test creates and removes folders of examples at the same time.
      if (entry.isDirectory())
        return skipped.has(entry.name) || entry.name.startsWith('example-') ? [] : filesIn(path, wanted);
      return wanted(entry.name) ? [join(root, path)] : [];
    }),
  );
  return found.flat();
}
