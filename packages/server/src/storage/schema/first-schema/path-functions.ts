import type { ColumnTypes } from '../column-types.ts';

/**
 * Functions for a database whose index entries are shorter than the longest path (PostgreSQL: some 2,700 bytes, while
 * 1,024 characters have up to 4,096). An index holds the first 512 characters of a path, which preserve the order, and
 * a hash of a longer one, which makes it unique. Indexes depend on the functions, so they must never change.
 */
export function pathFunctions({ indexesHoldAnyPath }: ColumnTypes): string[] {
  if (indexesHoldAnyPath) return [];
  return [
    `create function path_head(path text) returns text language sql immutable parallel safe
      return left(path, 512)`,
    // The text's own bytes: a backslash would begin an escape. They depend on no setting, so both functions are
    // immutable.
    `create function path_rest(path text) returns bytea language sql immutable parallel safe
      return case when char_length(path) <= 512 then ''::bytea
        else sha256(replace(path, chr(92), chr(92) || chr(92))::bytea) end`,
  ];
}
