import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { BackupSource } from '../../../src/backup/make-backup.ts';
import { parseConfig } from '../../../src/config/parse-config.ts';
import { openBlobs } from '../../../src/create-deps.ts';

export const listeners = {
  onFatal: (error: unknown) => assert.fail(String(error)),
  reportProblem: () => {},
};

/** A data directory as a backup reads it. */
export const sqliteSource = async (dataDir: string): Promise<BackupSource> => ({
  database: {
    kind: 'sqlite',
    file: join(dataDir, 'stoa.db'),
    sessionSecretFile: join(dataDir, 'session-secret'),
  },
  blobs: await openBlobs(parseConfig({ STOA_DATA_DIR: dataDir }), listeners),
});
