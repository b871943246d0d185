import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { soakRuns } from '../../scripts/soak/soak-runs.ts';
import { findTestFiles, planSome } from '../../scripts/testing/plan-rounds.ts';

const sources = await Promise.all(
  [...(await findTestFiles()), ...(await findTestFiles(['tests/support/*.ts', 'tests/matrix/*.ts']))].map(
    (file) => readFile(file, 'utf8'),
  ),
);

for (const { name, words, backEnds, sizes } of soakRuns) {
  test(`the soak run ${name} has tests on each of its back ends that read its sizes`, async () => {
    for (const backEnd of backEnds) {
      for (const word of words) {
        const { files } = await planSome([word], backEnd);
        assert.notDeepEqual(files, [], `${word} on ${backEnd}`);
      }
    }
    for (const variable of Object.keys(sizes)) {
      assert.ok(
        sources.some((source) => source.includes(`'${variable}'`) || source.includes(`.${variable} `)),
        `no test reads ${variable}`,
      );
    }
  });
}
