import { type FoundProgram, findProgram } from '../install-program.ts';

/** Ceph's servers and its gateway that speaks S3. Installing them starts no service. */
export function findCeph(): Promise<FoundProgram> {
  return findProgram({
    name: 'Ceph gateway',
    check: 'command -v radosgw ceph-mon ceph-osd ceph radosgw-admin monmaptool ceph-authtool setpriv',
    install: 'apt-get install -y --no-install-recommends radosgw ceph-mon ceph-osd ceph-common',
  });
}
