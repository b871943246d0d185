import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareByCodePoint, parseWorkspacePath } from '@stoa/core';
import { type CorpusFile, corpusFiles, readCorpus } from './corpus.ts';
import { questions } from './questions.ts';

const corpus = await readCorpus();

test('the corpus has 10,000 files with unique paths of a workspace, sorted', () => {
  assert.equal(corpus.length, corpusFiles);
  const paths = corpus.map(({ path }) => path);
  assert.equal(new Set(paths.map((path) => path.toLowerCase())).size, corpusFiles);
  assert.deepEqual(
    paths.map((path) => String(parseWorkspacePath(path))),
    paths.toSorted(compareByCodePoint),
  );
});

test('the corpus is the same in each run', async () => {
  const again = await readCorpus();
  assert.equal(again.length, corpus.length);
  for (const [at, { path, bytes }] of again.entries()) {
    assert.equal(path, corpus[at]?.path);
    assert.ok(Buffer.from(bytes).equals(corpus[at]?.bytes ?? Buffer.alloc(0)), path);
  }
});

test('there are 60 different questions of each kind', () => {
  assert.equal(new Set(questions.map(({ query }) => query)).size, 60);
  const byKind = Object.groupBy(questions, ({ kind }) => kind);
  for (const kind of ['name', 'title', 'words', 'phrase', 'code', 'cjk', 'filter'] as const)
    assert.ok((byKind[kind]?.length ?? 0) >= 6, kind);
});

test('each wanted file exists and satisfies its query', () => {
  const files = new Map(corpus.map((file) => [file.path, file]));
  const faults = questions.flatMap(({ query, wanted }) => {
    const file = files.get(wanted);
    if (file === undefined) return [`${wanted} is not in the corpus`];
    return unmetParts(query, file).map((part) => `${query}: ${wanted} does not satisfy ${part}`);
  });
  assert.deepEqual(faults, []);
});

test('a file that lacks a word, has an excluded one or is elsewhere does not satisfy a query', () => {
  const text = '---\ntags: [Été, x]\n---\nWeißes readFile Café';
  const file = { path: 'notes/a.md', bytes: new TextEncoder().encode(text) };
  assert.deepEqual(
    unmetParts('weisses cafe "readfile CAFÉ" tag:ete in:notes/ type:md nowhere OR x', file),
    [],
  );
  const wrong = ['nowhere', '-cafe', '"cafe weisses"', 'tag:cafe', 'in:note/', 'type:image', 'is:conflict'];
  assert.deepEqual(unmetParts(wrong.join(' '), file), wrong);
});

/** Returns the words, phrases and filters of a query that a file does not satisfy. */
function unmetParts(query: string, { path, bytes }: CorpusFile): readonly string[] {
  const text = new TextDecoder().decode(bytes);
  const all = folded(`${path}\n${text}`);
  const tags = /^tags: \[(.*)\]$/m.exec(/^---\n[\s\S]*?\n---\n/.exec(text)?.[0] ?? '')?.[1] ?? '';
  const has = (word: string): boolean => {
    const [, filter, value = ''] = /^(in|type|tag|is):(.+)$/.exec(word) ?? [];
    if (word.startsWith('-')) return !all.match(/[\p{L}\p{N}]+/gu)?.includes(folded(word.slice(1)));
    if (filter === 'in') return path.startsWith(value);
    if (filter === 'type') return path.endsWith(value === 'image' ? '.png' : `.${value}`);
    if (filter === 'tag') return tags.split(', ').some((tag) => folded(tag) === folded(value));
    if (filter === 'is') return path.includes(' (conflicted copy ');
    return all.includes(folded(word.replaceAll('"', '')));
  };
  const parts = query.match(/\S*"[^"]*"|\S+(?: OR \S+)*/g) ?? [];
  return parts.filter((part) => !part.split(' OR ').some(has));
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase();
}
