// docs/decisions/0006-file-ids.md
import type { Migration } from './migration.ts';

/**
 * Former files of a path: a row when a file leaves the path, instead of an index entry when it arrives. A trigger
 * writes it, so that files that an older program removes are included. The trigger exists before the current rows are
 * read. On PostgreSQL, creating it waits for running removals, and delays new ones.
 */
export const m013FormerIncarnations: Migration = {
  number: 13,
  name: 'former incarnations',
  statements: (types) => {
    const { text, integer, keyedTable, indexesHoldAnyPath, indexedPath } = types;
    return [
      `create table former_incarnation (
        workspace_id ${text} not null,
        path ${text} not null,
        incarnation ${integer} not null,
        primary key (workspace_id, ${indexesHoldAnyPath ? 'path, incarnation' : 'incarnation'})
      ) ${keyedTable}`,
      ...(indexesHoldAnyPath
        ? [`create trigger file_left after delete on file begin ${keepLeft}; end`]
        : [
            `create index former_incarnation_by_path
              on former_incarnation (workspace_id, ${indexedPath('path')}, incarnation)`,
            `create function keep_former_incarnation() returns trigger language plpgsql as
              $$ begin ${keepLeft}; return null; end $$`,
            'create trigger file_left after delete on file for each row execute function keep_former_incarnation()',
          ]),
      // By path and file id: each database has an index on one of them.
      `insert into former_incarnation (workspace_id, path, incarnation)
        select workspace_id, path, incarnation from file_version first_version
        where version = 1 and not exists (select 1 from file where file.workspace_id = first_version.workspace_id
          and file.path = first_version.path and file.incarnation = first_version.incarnation)`,
      'drop index file_version_incarnations',
    ];
  },
};

const keepLeft = `insert into former_incarnation (workspace_id, path, incarnation)
  values (old.workspace_id, old.path, old.incarnation)`;
