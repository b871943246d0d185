import fs, { type NoParamCallback } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Inodes of the files and folders that this process has flushed. Import this before the module under test. */
export const recordedSyncs = new Set<bigint>();

for (const name of ['fsync', 'fdatasync'] as const) {
  const real = fs[name];
  const noting = (file: number, done: NoParamCallback) => {
    const { ino } = fs.fstatSync(file, { bigint: true });
    real(file, (error) => {
      if (error === null) recordedSyncs.add(ino);
      done(error);
    });
  };
  Object.assign(fs, { [name]: noting });
}
syncBuiltinESMExports();
