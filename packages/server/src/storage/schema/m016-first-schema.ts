import { accessEpoch } from './first-schema/access-epoch.ts';
import { auditTables } from './first-schema/audit-tables.ts';
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
 * The schema that migrations 1 to 16 made, which were never released.
 *
 * A durable write pays for each page it touches, so indexes in random order are few. They hold a file's path and a
 * content's hash. Everything else grows at its end.
 */
export const m016FirstSchema: Migration = {
  number: 16,
  name: 'first schema',
  formerName: 'small parts in the content index',
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
      auditTables,
      accessEpoch,
    ].flatMap((tables) => tables(types)),
};
