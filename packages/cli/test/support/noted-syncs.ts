import fs, { type NoParamCallback } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** The files and folders, by inode, that this process has made durable. To be imported before what is tested. */
export const notedSyncs = new Set<bigint>();

for (const name of ['fsync', 'fdatasync'] as const) {
  const real = fs[name];
  const noting = (file: number, done: NoParamCallback) => {
    const { ino } = fs.fstatSync(file, { bigint: true });
    real(file, (error) => {
      if (error === null) notedSyncs.add(ino);
      done(error);
    });
  };
  Object.assign(fs, { [name]: noting });
}
syncBuiltinESMExports();
