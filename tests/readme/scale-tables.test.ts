import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatComputed, formatMeasured } from '../../bench/scale/format-scale.ts';
import type { MeasuredCosts } from '../../bench/scale/measured-costs.ts';

const root = join(import.meta.dirname, '../..');
const repair = "npx -c 'node bench/scale-model.ts --write'";

test('the page about scale shows the measured costs and the values that the model computes', async () => {
  const page = await readFile(join(root, 'docs/scale.md'), 'utf8');
  const costs: MeasuredCosts = JSON.parse(
    await readFile(join(root, 'bench/scale/measured-costs.json'), 'utf8'),
  );
  assert.ok(page.includes(formatMeasured(costs)), `the measured table differs: ${repair}`);
  assert.ok(page.includes(formatComputed(costs)), `the computed table differs: ${repair}`);
});
