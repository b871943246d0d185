import { commentTables } from './first-schema/comment-tables.ts';
import { credentialTables } from './first-schema/credential-tables.ts';
import { feedTables } from './first-schema/feed-tables.ts';
import { fileTables } from './first-schema/file-tables.ts';
import { nodeTables } from './first-schema/node-tables.ts';
import { pathFunctions } from './first-schema/path-functions.ts';
import { peopleTables } from './first-schema/people-tables.ts';
import { serverTables } from './first-schema/server-tables.ts';
import { shareTables } from './first-schema/share-tables.ts';
import { workspaceTables } from './first-schema/workspace-tables.ts';
import type { Migration } from './migration.ts';

/**
 * The whole schema of version 0.1.0.
 *
 * A durable write pays for each page it touches, so indexes in random order are few. They hold a file's path, a
 * content's hash, and, when a file id begins, the path of its first version. Everything else grows at its end.
 */
export const m001FirstSchema: Migration = {
  number: 1,
  name: 'first schema',
  statements: (types) =>
    [
      pathFunctions,
      peopleTables,
      workspaceTables,
      fileTables,
      feedTables,
      nodeTables,
      commentTables,
      shareTables,
      credentialTables,
      serverTables,
    ].flatMap((tables) => tables(types)),
};
