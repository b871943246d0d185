import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** A table and its rows as a map. Paths are compared and ordered byte by byte. */
export interface RowTable<Key extends string, Row> {
  readonly create: string;
  prepare(db: DatabaseSync): PreparedTable<Key, Row>;
  /** Reads selected rows. `rest` is SQL after the table's name. @returns a function that takes the values of its `?` */
  prepareReading(db: DatabaseSync, rest: string): (...values: (string | number)[]) => Map<Key, Row>;
}

export interface PreparedTable<Key extends string, Row> {
  load(): Map<Key, Row>;
  /** Null removes the row. */
  write(key: Key, row: Row | null): void;
  clear(): void;
}

/** Values of a row in the order of its columns. */
export type Values = readonly (string | number | null)[];

/** A table whose rows are read and written in full. `columns` are SQL; the first one is the key, with `PRIMARY KEY`. */
export function rowTable<Key extends string, Row>(
  name: string,
  columns: readonly string[],
  codec: {
    /** Without the key. */
    toValues(row: Row): Values;
    /** `values` begins with the key. */
    fromValues(values: readonly SQLOutputValue[], key: Key): Row;
  },
): RowTable<Key, Row> {
  const names = columns.map((column) => column.slice(0, column.indexOf(' ')));
  const [keyName] = names;
  const prepareReading: RowTable<Key, Row>['prepareReading'] = (db, rest) => {
    const select = db.prepare(`SELECT ${names.join(', ')} FROM ${name} ${rest}`);
    select.setReturnArrays(true);
    return (...values) => {
      const rows = new Map<Key, Row>();
      // Reads all rows at once, because iterating takes a third longer.
      for (const row of select.all(...values) as unknown as SQLOutputValue[][]) {
        const key = row[0] as Key;
        rows.set(key, codec.fromValues(row, key));
      }
      return rows;
    };
  };
  return {
    create: `CREATE TABLE ${name} (${columns.join(', ')}) STRICT, WITHOUT ROWID`,
    prepareReading,
    prepare(db) {
      const load = prepareReading(db, '');
      const put = db.prepare(
        `INSERT OR REPLACE INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      );
      const drop = db.prepare(`DELETE FROM ${name} WHERE ${keyName} = ?`);
      const dropAll = db.prepare(`DELETE FROM ${name}`);
      return {
        load,
        write(id, row) {
          if (row === null) drop.run(id);
          else put.run(id, ...codec.toValues(row));
        },
        clear: () => void dropAll.run(),
      };
    },
  };
}
