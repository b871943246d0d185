import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * A control: the lowest cost of a copy of many files, without state and without rechecks, eight files at a time. The
 * paths are lines of a file. With `move` a line has both paths, separated by a tab.
 */
const [mode = '', workspace = '', folder = '', lines = ''] = process.argv.slice(2);
const headers = { 'x-api-key': process.env.BENCH_KEY ?? '' };
const atOnce = 8;

const todo = lines === '' ? [] : (await readFile(lines, 'utf8')).split('\n').filter((line) => line !== '');
const made = new Set<string>();

const steps: Readonly<Record<string, (path: string) => Promise<void>>> = { down, up, hash, move };
if (mode === 'pages') await readPages();
else {
  const step = steps[mode];
  if (step === undefined) throw new Error(`no mode ${mode}`);
  let next = 0;
  const work = async () => {
    while (next < todo.length) {
      const path = todo[next] ?? '';
      next += 1;
      await step(path);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function down(path: string): Promise<void> {
  const response = await fetch(addressOf(path), { headers });
  const file = join(folder, path);
  const bytes = new Uint8Array(await bodyOf(response, 200));
  if (!made.has(dirname(file))) await mkdir(dirname(file), { recursive: true });
  made.add(dirname(file));
  await writeFile(`${file}.part`, bytes);
  await rename(`${file}.part`, file);
}

async function up(path: string): Promise<void> {
  const body = await readFile(join(folder, path));
  const put = { method: 'PUT', body, headers: { ...headers, 'if-none-match': '*' } };
  await bodyOf(await fetch(addressOf(path), put), 201);
}

async function hash(path: string): Promise<void> {
  createHash('sha256')
    .update(await readFile(join(folder, path)))
    .digest('hex');
}

async function move(line: string): Promise<void> {
  const [from, to] = line.split('\t');
  const body = JSON.stringify({ from, to });
  const post = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } };
  await bodyOf(await fetch(`${workspace}/move`, post), 200);
}

async function readPages(): Promise<void> {
  for (let since = 0; ; ) {
    const response = await fetch(`${workspace}/changes?sinceSeq=${since}&limit=1000`, { headers });
    const page = JSON.parse(new TextDecoder().decode(await bodyOf(response, 200)));
    if (page.nextSeq === since) return;
    since = page.nextSeq;
  }
}

async function bodyOf(response: Response, status: number): Promise<ArrayBuffer> {
  const body = await response.arrayBuffer();
  if (response.status !== status) throw new Error(`${response.status} ${new TextDecoder().decode(body)}`);
  return body;
}

function addressOf(path: string): string {
  return `${workspace}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}
