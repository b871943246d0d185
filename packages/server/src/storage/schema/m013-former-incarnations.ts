// docs/decisions/0078-former-incarnations.md
import type { Migration } from './migration.ts';

/**
 * Files that stood at a path before: a row when one leaves it, in place of an index entry when it comes. A trigger writes it,
 * so that a file that an older program removes is found again too. It is there before the rows of today's files are
 * looked through: on PostgreSQL making it waits for removals that are under way, and holds up those that come.
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
      // By path and incarnation: each database has an index on one of them.
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
