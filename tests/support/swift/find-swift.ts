import { type FoundProgram, findProgram } from '../install-program.ts';

/** The system's own Python: another one that comes first in the path has no Swift. */
export const python = '/usr/bin/python3';

/** OpenStack Swift: the servers as modules, without the packages that run them as services of the machine. */
export function findSwift(): Promise<FoundProgram> {
  return findProgram({
    name: 'object store',
    check: `${python} -c 'import swift.proxy, swift.obj'`,
    install: 'apt-get install -y --no-install-recommends python3-swift',
  });
}
