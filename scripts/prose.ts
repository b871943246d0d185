/**
 * Checks the English of documents, comments, messages, titles of tests and names (CONTRIBUTING.md, "English").
 *
 *   npm run prose                 compares each folder with its count in `prose/baseline.json`.
 *   npm run prose -- PATH…        lists the faults below these paths.
 *   npm run prose -- --lower      writes the counts that have fallen.
 *   npm run prose -- --sum        counts the faults by rule.
 */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Fault, findFaults } from './prose/find-faults.ts';
import { partsOf, readTexts } from './prose/read-texts.ts';

const root = join(import.meta.dirname, '..');
const baselineFile = join(root, 'scripts/prose/baseline.json');
/** Texts of others, of the linter's own rules, data of tests, and migrations, which never change. */
const skipped =
  /^scripts\/prose\/|^tests\/prose\/|\/fixtures\/|^LICENSE|\.d\.ts$|^packages\/web\/src\/generated\/|\/schema\/m\d{3}-/;
const printedMax = 40;

interface Located extends Fault {
  readonly file: string;
  readonly line: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { lower: { type: 'boolean' }, sum: { type: 'boolean' } },
});

const faults = await findAll();
if (positionals.length > 0) {
  for (const fault of faults.filter(({ file }) => positionals.some((path) => isWithin(file, path))))
    print(fault);
} else if (values.sum) {
  const sums = Object.entries(Object.groupBy(faults, ({ rule }) => rule));
  for (const [rule, found] of sums.toSorted((a, b) => (b[1]?.length ?? 0) - (a[1]?.length ?? 0)))
    console.log(String(found?.length).padStart(6), rule);
} else {
  await compare();
}

async function compare(): Promise<void> {
  const counts = new Map<string, number>();
  for (const { file } of faults) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
  const baseline: Record<string, number> = JSON.parse(await readFile(baselineFile, 'utf8'));
  const folders = [...new Set([...counts.keys(), ...Object.keys(baseline)])].toSorted();
  const next: Record<string, number> = {};
  for (const folder of folders) {
    const count = counts.get(folder) ?? 0;
    const allowed = baseline[folder] ?? 0;
    if (Math.min(count, allowed) > 0) next[folder] = Math.min(count, allowed);
    if (count > allowed) {
      process.exitCode = 1;
      console.error(
        `${folder}: ${count} faults of prose, ${allowed} allowed. npm run prose -- PATH lists them:`,
      );
      for (const fault of faults.filter(({ file }) => folderOf(file) === folder).slice(0, printedMax))
        print(fault);
    } else if (count < allowed && !values.lower) {
      process.exitCode = 1;
      console.error(
        `${folder}: ${count} faults of prose, fewer than ${allowed}. Run npm run prose -- --lower`,
      );
    }
  }
  if (values.lower) await writeFile(baselineFile, `${JSON.stringify(next, null, 2)}\n`);
}

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

/** The unit of the baseline: a package's source or tests, a folder of tests, a folder of documents. */
function folderOf(file: string): string {
  const [first = '', second = '', third = ''] = file.split('/').slice(0, -1);
  return [first, second, first === 'packages' ? third : ''].filter(Boolean).join('/') || '.';
}

function isWithin(file: string, path: string): boolean {
  const folder = path.replace(/\/$/, '');
  return file === folder || file.startsWith(`${folder}/`);
}

function print({ file, line, rule, found, instead }: Located): void {
  console.log(`${file}:${line}: ${rule}: “${found}”. Instead: ${instead}`);
}
