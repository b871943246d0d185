import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, glob, mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

/**
 * Builds the file tree of a Dockerfile without a container engine. Its stages are folders, and COPY and RUN are carried
 * out there. The RUN lines of the last stage are skipped: they concern users and the root of the image.
 *
 * @param context the folder that the image is built from.
 * @returns the last stage's working directory.
 */
export async function makeImageTree(dockerfile: string, context: string, folder: string): Promise<string> {
  const lines = (await readFile(dockerfile, 'utf8')).replaceAll('\\\n', '').split('\n');
  const names = lines.filter((line) => line.startsWith('FROM ')).map((line) => / AS (\w+)$/.exec(line)?.[1]);
  assert.ok(names.length > 1 && names.at(-1) === undefined, 'only the last stage has no name');
  let stage = '';
  let workdir = '';
  for (const line of lines) {
    const [instruction, ...words] = line.split(' ');
    switch (instruction) {
      case 'FROM':
        stage = join(folder, words[2] ?? 'image');
        break;
      case 'WORKDIR':
        workdir = join(stage, words[0] ?? '');
        await mkdir(workdir, { recursive: true });
        break;
      case 'COPY':
        await copy(words, { context, folder, workdir });
        break;
      case 'RUN':
        if (stage !== join(folder, 'image'))
          await promisify(execFile)('sh', ['-c', words.join(' ')], { cwd: workdir });
        break;
    }
  }
  return workdir;
}

/** Copies like COPY: the contents of a folder, or files below a target that ends with a slash. */
async function copy(
  words: readonly string[],
  { context, folder, workdir }: { context: string; folder: string; workdir: string },
): Promise<void> {
  const from = words[0]?.startsWith('--from=') ? join(folder, words[0].slice('--from='.length)) : context;
  const [target = '', ...sources] = words.filter((word) => !word.startsWith('--')).toReversed();
  assert.ok(sources.length > 0);
  for (const source of sources) {
    const found = await Array.fromAsync(
      glob(relative('/', join('/', source)), { cwd: from, withFileTypes: true }),
    );
    assert.ok(found.length > 0, `COPY finds no ${source}`);
    for (const entry of found) {
      const to = join(
        workdir,
        target,
        !entry.isDirectory() && target.endsWith('/') ? basename(entry.name) : '',
      );
      await mkdir(dirname(to), { recursive: true });
      await cp(join(entry.parentPath, entry.name), to, { recursive: true, verbatimSymlinks: true });
    }
  }
}
