import { type FoundProgram, findProgram } from './install-program.ts';

/** Where Debian has the programs of the oldest PostgreSQL that is promised. */
export const postgres15Programs = '/usr/lib/postgresql/15/bin';

/** Debian's package makes a database of its own for the machine, unless it is told not to. */
export function findPostgres15(): Promise<FoundProgram> {
  const folder = '/etc/postgresql-common/createcluster.d';
  const noCluster = `mkdir -p ${folder} && echo 'create_main_cluster = false' > ${folder}/no-cluster.conf`;
  return findProgram({
    name: 'PostgreSQL 15',
    check: `test -x ${postgres15Programs}/postgres`,
    install: `${noCluster} && apt-get install -y --no-install-recommends postgresql-15`,
  });
}
