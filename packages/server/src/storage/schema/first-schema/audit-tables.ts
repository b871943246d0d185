// docs/decisions/0030-audit-log.md
import type { ColumnTypes } from '../column-types.ts';

/**
 * The audit log, and the time up to which it was pruned. The database itself rejects changes of rows, and their
 * deletion before the retention has recorded it: a guard against mistakes, not against the owner of the database.
 */
export function auditTables({ text, integer, heapTable, triggersCallFunctions }: ColumnTypes): string[] {
  return [
    `create table audit_entry (
      id ${text} not null primary key,
      created_at ${integer} not null,
      action ${text} not null,
      workspace_id ${text},
      principal ${text},
      actor_id ${text},
      actor_key_id ${text},
      actor_label ${text},
      address ${text},
      request_id ${text},
      person_id ${text},
      target_id ${text},
      target_name ${text},
      path ${text},
      path_owner_id ${text},
      details ${text} not null
    ) ${heapTable}`,
    'create index audit_entry_by_time on audit_entry (created_at, id)',
    'create index audit_entry_by_workspace on audit_entry (workspace_id, created_at, id)',
    `create table audit_retention (
      id ${integer} not null primary key,
      forgotten_before ${integer} not null
    ) ${heapTable}`,
    ...(triggersCallFunctions ? withFunctions : inTriggers),
  ];
}

const error = 'the audit log is only added to';
const forgottenBefore = 'coalesce((select max(forgotten_before) from audit_retention), 0)';

const inTriggers = [
  `create trigger audit_entry_update before update on audit_entry begin select raise(abort, '${error}'); end`,
  `create trigger audit_entry_delete before delete on audit_entry
    when old.created_at >= ${forgottenBefore} begin select raise(abort, '${error}'); end`,
];

const withFunctions = [
  `create function refuse_audit_change() returns trigger language plpgsql as $$
    begin raise exception '${error}'; end $$`,
  `create function refuse_early_audit_delete() returns trigger language plpgsql as $$
    begin
      if old.created_at >= ${forgottenBefore} then raise exception '${error}'; end if;
      return old;
    end $$`,
  'create trigger audit_entry_update before update on audit_entry for each row execute function refuse_audit_change()',
  'create trigger audit_entry_truncate before truncate on audit_entry execute function refuse_audit_change()',
  'create trigger audit_entry_delete before delete on audit_entry for each row execute function refuse_early_audit_delete()',
];
