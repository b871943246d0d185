import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { findProgram } from '../../../tests/support/install-program.ts';
import { openLinkedWorkspace } from './support/linked-workspace.ts';
import { runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

const git = await findProgram({ name: 'git', check: 'git --version', install: 'apt-get install -y git' });

test('doctor recommends that git takes no folder for a repository by what is in it', {
  skip: git.kind === 'missing' ? git.reason : false,
}, async () => {
  await using home = await makeFolder();
  const { link } = await openLinkedWorkspace();
  const env = { PATH: process.env.PATH ?? '', HOME: home.path };
  const folder = join(home.path, 'a');
  await link(folder);
  const doctor = () => runStoa(['doctor'], { cwd: folder, env, home: home.path });
  const advised = await doctor();
  assert.equal(advised.code, 0, advised.stdout);
  assert.match(advised.stdout, /^tip {3}git .*git config --global safe\.bareRepository explicit$/m);
  await writeFile(join(home.path, '.gitconfig'), '[safe]\n\tbareRepository = explicit\n');
  assert.match((await doctor()).stdout, /^good {2}git /m);
});
