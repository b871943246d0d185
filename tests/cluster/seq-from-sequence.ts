/**
 * Statements that make a database of the service into the control of the feed's test: `seq` comes from a database
 * sequence, which returns numbers before the commit, and no row lock orders the changes of a workspace. Everything
 * else is unchanged, and so is the program.
 *
 * The counters become a view over a function, whose rows no `for update` locks. A transaction that may write takes its
 * first number from the sequence when it first reads the counters, and counts up from there. An update of the counters
 * only changes that number. For a read-only transaction the head is the highest committed number.
 */
export const seqFromSequence = `
  create sequence control_seq start with 1000000 increment by 1000;
  alter table workspace_counter rename to kept_counter;
  create function control_last() returns bigint language plpgsql volatile as $$
    begin
      if current_setting('transaction_read_only') = 'on' then return null; end if;
      if coalesce(current_setting('control.last', true), '') = '' then
        perform set_config('control.last', nextval('control_seq')::text, true);
      end if;
      return current_setting('control.last')::bigint;
    end $$;
  create function control_counters()
    returns table (
      workspace_id text, seq bigint, used_bytes bigint, used_files bigint, history_bytes bigint, comments bigint,
      privacy_records bigint
    )
    language plpgsql volatile as $$
    declare
      last bigint := control_last();
    begin
      return query select kept.workspace_id,
        coalesce(
          last,
          (select max(change.seq) from change where change.workspace_id = kept.workspace_id),
          kept.seq
        ),
        kept.used_bytes, kept.used_files, kept.history_bytes, kept.comments, kept.privacy_records
        from kept_counter as kept;
    end $$;
  create view workspace_counter as
    select workspace_id collate "C" as workspace_id, seq, used_bytes, used_files, history_bytes, comments, privacy_records
    from control_counters();
  create function control_take() returns trigger language plpgsql as $$
    begin
      perform set_config('control.last', new.seq::text, true);
      return new;
    end $$;
  create trigger control_take instead of update on workspace_counter for each row execute function control_take();
`;
