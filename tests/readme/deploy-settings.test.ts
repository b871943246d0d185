import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseConfig } from '../../packages/server/src/config/parse-config.ts';
import { variableNames } from '../../packages/server/src/config/variables.ts';

const root = join(import.meta.dirname, '../..');
const examples = await readAll(['deploy/**/*', 'deploy/.*']);
const documents = await readAll(['README.md', 'docs/*.md']);
/** Variables of the CLI, and of an agent's machine in the guide. The server does not read them. */
const clientsOwn = new Set(['STOA_URL', 'STOA_KEY', 'STOA_WORKSPACE', 'STOA_ALLOW_HTTP']);
const settings = new Set<string>(variableNames);

test('the server reads every setting that an example or a document names', () => {
  for (const [file, text] of [...examples, ...documents]) {
    for (const [name] of text.matchAll(/\bSTOA_[A-Z][A-Z_]*[A-Z]\b/g)) {
      assert.ok(settings.has(name) || clientsOwn.has(name), `${file} names ${name}`);
    }
  }
});

test('the server starts with the settings of the examples', () => {
  const compose = settingsIn(['deploy/compose.yaml', 'deploy/Dockerfile']);
  const kubernetes = settingsIn([
    'deploy/kubernetes/stoa.yaml',
    'deploy/kubernetes/secret.example.yaml',
    'deploy/Dockerfile',
  ]);
  for (const environment of [compose, kubernetes]) {
    const { database, blobs, host } = parseConfig(environment);
    assert.equal(database.kind, 'postgres');
    assert.equal(blobs.kind, 's3');
    assert.equal(host, '0.0.0.0');
  }
});

test('the compose example takes its passwords from variables of its example file', () => {
  const given = new Set([...textOf('deploy/example.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));
  const taken = [...textOf('deploy/compose.yaml').matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name]) => name);
  assert.ok(taken.length > 0);
  assert.deepEqual(new Set(taken), given);
});

test('every image of the examples has a version', () => {
  const images = [...examples]
    .filter(([file]) => !file.endsWith('.md'))
    .flatMap(([file, text]) =>
      [...text.matchAll(/(?:^ *image: |^FROM )(\S+)/gm)].map(([, image = '']) => ({ file, image })),
    );
  assert.ok(images.length >= 6);
  for (const { file, image } of images) {
    assert.match(image, /^[a-z0-9./-]+:[0-9]/, `${file} has the image ${image}`);
  }
});

/** Reads lines `STOA_NAME: value` or `STOA_NAME=value`, with the values that compose substitutes for its variables. */
function settingsIn(files: readonly string[]): Record<string, string> {
  const found = files.flatMap((file) =>
    [...textOf(file).matchAll(/(?:^|\s)(STOA_[A-Z_]+)(?:: |=)((?:\$\{[^}]*\}|\S)+)/gm)].map(
      ([, name = '', value = '']) => {
        const filled = value.replace(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1').replace(/\$\{[^}]*\}/g, 'secret');
        return [name, filled.replace(/^"(.*)"$/, '$1')] as const;
      },
    ),
  );
  return Object.fromEntries(found);
}

function textOf(file: string): string {
  const text = examples.get(file);
  assert.ok(text !== undefined, `${file} does not exist`);
  return text;
}

async function readAll(patterns: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const read = new Map<string, string>();
  for await (const entry of glob([...patterns], { cwd: root, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    read.set(path.slice(root.length + 1), await readFile(path, 'utf8'));
  }
  return read;
}
