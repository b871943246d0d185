import { type FoundProgram, findProgram } from './install-program.ts';

/** The folder in which Debian installs the oldest supported PostgreSQL. */
export const postgres15Programs = '/usr/lib/postgresql/15/bin';

/** This setting stops Debian's package from creating its own database for the machine. */
export function findPostgres15(): Promise<FoundProgram> {
  const folder = '/etc/postgresql-common/createcluster.d';
  const noCluster = `mkdir -p ${folder} && echo 'create_main_cluster = false' > ${folder}/no-cluster.conf`;
  return findProgram({
    name: 'PostgreSQL 15',
    check: `test -x ${postgres15Programs}/postgres`,
    install: `${noCluster} && apt-get install -y --no-install-recommends postgresql-15`,
  });
}
