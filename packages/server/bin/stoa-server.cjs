/* docs/decisions/0011-toolchain.md
 *
 * Starts what was built of the server; its sources where nothing was.
 */
'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');

const built = join(__dirname, '../dist/program/main.cjs');
if (existsSync(built)) require(built);
else import('../src/main.ts');
