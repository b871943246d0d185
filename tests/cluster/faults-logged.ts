import type { ServiceProcess } from '../support/service-process.ts';

/** Stored bytes that are missing or others are for the operator to see. */
const bytesMissing = '"code":"stored_bytes_missing"';

/** What a node logged as a fault of its own. A database or object store that is away does not count. */
export function faultsLogged({ log }: Pick<ServiceProcess, 'log'>): readonly string[] {
  return log()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line) && !line.includes(bytesMissing));
}
