/* docs/decisions/0011-toolchain.md
 *
 * Runs an operator command from what was built of it; from its sources where nothing was, or where they changed since.
 */
'use strict';

const { readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');

const built = join(__dirname, '../dist/program/admin.cjs');
const root = join(__dirname, '../../..');
const sources = ['core', 'markdown', 'contract', 'server'].map((name) => join(root, 'packages', name, 'src'));

/** Nothing comes before an operator command that would build it anew, as before a start. A removed file changes its folder. */
function isCurrent() {
  const { mtimeMs: builtAt } = statSync(built, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
  // A tree may have been laid without its list of libraries: an operator command runs all the same.
  const isOlder = (place) => (statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0) <= builtAt;
  return (
    isOlder(join(root, 'package-lock.json')) &&
    sources.every(
      (folder) =>
        isOlder(folder) && readdirSync(folder, { recursive: true }).every((name) => isOlder(join(folder, name))),
    )
  );
}

if (isCurrent()) require(built);
else import('../src/admin/main.ts');
