import type { ServiceProcess } from '../support/service-process.ts';

/** Stored bytes that are missing or wrong: an operator must see them. */
const bytesMissing = '"code":"stored_bytes_missing"';

/** Returns the faults that a node logged as its own. An unreachable database or object store does not count. */
export function faultsLogged({ log }: Pick<ServiceProcess, 'log'>): readonly string[] {
  return log()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line) && !line.includes(bytesMissing));
}
