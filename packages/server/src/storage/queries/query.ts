import { invalidRequest } from '@stoa/core';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Executor, SqlValue } from './executor.ts';

/** Represents a value that is known only when the query runs. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export type Placeholders<Params> = { readonly [Name in keyof Params]: RawBuilder<Params[Name]> };

/**
 * A statement that is compiled once, on first use: compiling takes longer than running it, and most processes never use
 * most of them. The builder determines the types of parameters and rows.
 */
export interface Query<Params, Row> {
  readonly sql: string;
  all(executor: Executor, params: Params): Promise<readonly Row[]>;
  get(executor: Executor, params: Params): Promise<Row | undefined>;
  /** @returns the number of changed rows. */
  run(executor: Executor, params: Params): Promise<number>;
}

export function compileQuery<Params extends { readonly [Name in keyof Params]: SqlValue }, Row>(
  build: (given: Placeholders<Params>) => Compilable<Row>,
): Query<Params, Row> {
  let compiled: Compiled<Params> | null = null;
  const used = () => {
    compiled ??= compile(build);
    return compiled;
  };
  return {
    get sql() {
      return used().text;
    },
    // The builder's types claim what this text returns; the port's test suite verifies it.
    all: (executor, params) => {
      const { text, bind } = used();
      return executor.all(text, bind(params)) as Promise<readonly Row[]>;
    },
    get: (executor, params) => {
      const { text, bind } = used();
      return executor.get(text, bind(params)) as Promise<Row | undefined>;
    },
    run: (executor, params) => {
      const { text, bind } = used();
      return executor.run(text, bind(params));
    },
  };
}

interface Compiled<Params> {
  readonly text: string;
  readonly bind: (params: Params) => SqlValue[];
}

function compile<Params extends { readonly [Name in keyof Params]: SqlValue }>(
  build: (given: Placeholders<Params>) => Compilable,
): Compiled<Params> {
  const given = new Proxy({} as Placeholders<Params>, {
    get: (_, name) => sql`${new Placeholder(String(name))}`,
  });
  const { sql: text, parameters } = build(given).compile();
  const bind = (params: Params): SqlValue[] => {
    const byName: { readonly [name: string]: SqlValue | undefined } = params;
    const values: SqlValue[] = [];
    for (const parameter of parameters) {
      const value = parameter instanceof Placeholder ? byName[parameter.name] : parameter;
      if (value === undefined) throw new Error(`a parameter is missing in ${text}`);
      values.push(value as SqlValue);
    }
    rejectUnstorable(values);
    return values;
  };
  return { text, bind };
}

/** Whether both databases can store the text unchanged. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Checks every text on its way to a database, even in lookups. PostgreSQL cannot store a NUL, and neither database can
 * store half a surrogate pair: one would fail, and the other would silently change the text.
 * @throws WorkspaceError `invalid_request`
 */
export function rejectUnstorable(values: readonly SqlValue[]): void {
  for (const value of values) {
    if (typeof value === 'string' && !isStorable(value)) {
      throw invalidRequest('The request contains text with a NUL or half a character (a lone surrogate)');
    }
  }
}

/** A column that holds a boolean as 0 or 1, on both databases. */
export interface Flag<Name extends string> {
  readonly flag: Name;
}

export function flag<const Name extends string>(name: Name): Flag<Name> {
  return { flag: name };
}

/** The column of each field. */
type Names<Row> = { readonly [Field in keyof Row]-?: string | Flag<string> };
type NameOf<Column> = Column extends Flag<infer Name> ? Name : Column extends string ? Column : never;
type StoredAs<Column, Value> = Column extends Flag<string> ? number : Value;

/** A stored row, by the names of the fields: flags are numbers. */
type Stored<Row, Map extends Names<Row>> = {
  [Field in keyof Row]: StoredAs<Map[Field], Row[Field]>;
};

/** A stored row of a list of columns. */
export type StoredOf<List> = List extends Columns<string, infer Row, infer Map> ? Stored<Row, Map> : never;

/** The table as the query builder sees it, by the names of the columns. */
export type TableOf<List> =
  List extends Columns<string, infer Row, infer Map>
    ? { -readonly [Field in keyof Row as NameOf<Map[Field]>]: StoredAs<Map[Field], Row[Field]> }
    : never;

/** The columns of a table, listed once, for selects, inserts and the conversion of rows. */
export interface Columns<Table extends string, Row, Map extends Names<Row>> {
  /** Every column under the name of its field, so that rows need no renaming. */
  readonly selection: readonly {
    [Field in keyof Row & string]: `${Table}.${NameOf<Map[Field]>} as ${Field}`;
  }[keyof Row & string][];
  /** The same, for hand-written SQL. */
  readonly written: RawBuilder<unknown>;
  /** Columns and parameters of an insert. The parameters also have the names of the fields. */
  values(row: Placeholders<Stored<Row, Map>>): {
    [Field in keyof Row as NameOf<Map[Field]>]: RawBuilder<StoredAs<Map[Field], Row[Field]>>;
  };
  /** Columns and values of an update for the given fields; values, not parameters. */
  changes(fields: Partial<Row>): {
    [Field in keyof Row as NameOf<Map[Field]>]?: StoredAs<Map[Field], Row[Field]>;
  };
  /** The assignments of `on conflict` when the new row replaces the old one: every column except the `key`. */
  replacement<const Key extends keyof Row = never>(
    ...key: readonly Key[]
  ): {
    [Field in Exclude<keyof Row, Key> as NameOf<Map[Field]>]: RawBuilder<StoredAs<Map[Field], Row[Field]>>;
  };
  toStored(row: Row): Stored<Row, Map>;
  /** Leaves other selected columns unchanged. */
  toRow<Selected extends Stored<Row, Map>>(stored: Selected): Row & Omit<Selected, keyof Row>;
}

/** `columns<ShareRow>()('share', { workspaceId: 'workspace_id', … })`: a missing field does not compile. */
export function columns<Row extends object>() {
  return <const Table extends string, const Map extends Names<Row>>(
    table: Table,
    names: Map,
  ): Columns<Table, Row, Map> => {
    const entries: readonly (readonly [field: string, column: string | Flag<string>])[] =
      Object.entries(names);
    const nameOf = (column: string | Flag<string>) => (typeof column === 'string' ? column : column.flag);
    const flags = entries.flatMap(([field, column]) => (typeof column === 'string' ? [] : [field]));
    const changed = (row: object, convert: (value: unknown) => unknown) => {
      const copy: Record<string, unknown> = { ...row };
      for (const field of flags) copy[field] = convert(copy[field]);
      return copy;
    };
    const toNumber = (value: unknown) => (value === true ? 1 : 0);
    // The types above declare the results of the loops below; the port's test suite verifies each table, on both
    // databases.
    const typed = <Typed>(value: unknown) => value as Typed;
    return {
      selection: typed(entries.map(([field, column]) => `${table}.${nameOf(column)} as ${field}`)),
      written: sql.join(
        entries.map(([field, column]) => sql`${sql.ref(`${table}.${nameOf(column)}`)} as ${sql.id(field)}`),
      ),
      values: (row) =>
        typed(
          Object.fromEntries(
            entries.map(([field, column]) => [nameOf(column), typed<Record<string, unknown>>(row)[field]]),
          ),
        ),
      replacement: (...key) =>
        typed(
          Object.fromEntries(
            entries
              .filter(([field]) => !typed<readonly string[]>(key).includes(field))
              .map(([, column]) => [nameOf(column), sql.ref(`excluded.${nameOf(column)}`)]),
          ),
        ),
      changes: (fields) =>
        typed(
          Object.fromEntries(
            entries.flatMap(([field, column]) => {
              const value = typed<Record<string, unknown>>(fields)[field];
              if (value === undefined) return [];
              return [[nameOf(column), typeof column === 'string' ? value : toNumber(value)]];
            }),
          ),
        ),
      toStored: (row) => typed(changed(row, toNumber)),
      toRow: (stored) => typed(changed(stored, (value) => value === 1)),
    };
  };
}
