/**
 * Checks the English of documents, comments, messages, titles of tests and names (CONTRIBUTING.md, "English").
 *
 *   npm run prose -- [PATH…]      lists the faults, below these paths only. The exit code is 1 if there are any.
 *   npm run prose -- --sum        counts the faults by rule.
 */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Fault, findFaults } from './prose/find-faults.ts';
import { partsOf, readTexts } from './prose/read-texts.ts';

const root = join(import.meta.dirname, '..');
/** Texts of others, of the linter's own rules, data of tests, and migrations, which never change. */
const skipped =
  /^scripts\/prose\/|^tests\/prose\/|\/fixtures\/|^LICENSE|\.d\.ts$|^packages\/web\/src\/generated\/|\/schema\/m\d{3}-/;
const printedMax = 200;

interface Located extends Fault {
  readonly file: string;
  readonly line: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sum: { type: 'boolean' } },
});

const faults = await findAll();
const asked = faults.filter(
  ({ file }) => positionals.length === 0 || positionals.some((path) => isWithin(file, path)),
);
if (values.sum) {
  const sums = Object.entries(Object.groupBy(asked, ({ rule }) => rule));
  for (const [rule, found] of sums.toSorted((a, b) => (b[1]?.length ?? 0) - (a[1]?.length ?? 0)))
    console.log(String(found?.length).padStart(6), rule);
} else for (const fault of asked.slice(0, printedMax)) print(fault);
if (asked.length > printedMax) console.log(`… and ${asked.length - printedMax} more`);
if (asked.length > 0) process.exitCode = 1;

async function findAll(): Promise<readonly Located[]> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }).split('\0');
  const found: Located[] = [];
  for (const file of listed) {
    if (!/\.(?:md|ts|tsx)$/.test(file) || skipped.test(file)) continue;
    const source = await readFile(join(root, file), 'utf8').catch(() => null);
    if (source === null) continue;
    const name = partsOf(file.split('/').at(-1)?.replace(/\..*$/, '') ?? '');
    const texts = [
      ...readTexts(file, source),
      ...name.map((text) => ({ file, line: 1, kind: 'name' as const, text })),
    ];
    for (const text of texts)
      for (const fault of findFaults(text)) found.push({ ...fault, file, line: text.line });
  }
  return found;
}

function isWithin(file: string, path: string): boolean {
  const folder = path.replace(/\/$/, '');
  return file === folder || file.startsWith(`${folder}/`);
}

function print({ file, line, rule, found, instead }: Located): void {
  console.log(`${file}:${line}: ${rule}: “${found}”. Instead: ${instead}`);
}
