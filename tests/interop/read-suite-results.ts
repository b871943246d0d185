import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordOf, textAt } from '../support/response.ts';

/** The results of the protocol's conformance suite, each check as `scenario:check`. */
export interface SuiteResults {
  readonly scenarios: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** Checks that passed at every occurrence. */
  readonly passed: ReadonlySet<string>;
}

/** Reads the output of the suite, one folder per scenario: `server-<scenario>-<time>/checks.json`. */
export async function readSuiteResults(folder: string): Promise<SuiteResults> {
  const scenarios = new Set<string>();
  const failed = new Set<string>();
  const held = new Set<string>();
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) throw new Error(`no results of a scenario: ${name}`);
    scenarios.add(scenario);
    const checks: unknown = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8'));
    if (!Array.isArray(checks)) throw new Error(`${name} lists no checks`);
    for (const check of checks.map(recordOf)) {
      const id = `${scenario}:${textAt(check, 'id')}`;
      // The suite counts a warning as a failure of its scenario.
      if (check.status === 'FAILURE' || check.status === 'WARNING') failed.add(id);
      if (check.status === 'SUCCESS') held.add(id);
    }
  }
  return { scenarios, failed, passed: held.difference(failed) };
}
