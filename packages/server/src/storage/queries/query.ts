import { invalidRequest } from '@stoa/core';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Executor, SqlValue } from './executor.ts';

/** Stands in a query for a value that is known only when it runs. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export type Placeholders<Params> = { readonly [Name in keyof Params]: RawBuilder<Params[Name]> };

/** A statement compiled once: compiling takes longer than running it. Types of parameters and rows are the builder's. */
export interface Query<Params, Row> {
  readonly sql: string;
  all(executor: Executor, params: Params): Promise<readonly Row[]>;
  get(executor: Executor, params: Params): Promise<Row | undefined>;
  /** @returns how many rows were changed. */
  run(executor: Executor, params: Params): Promise<number>;
}

export function compileQuery<Params extends { readonly [Name in keyof Params]: SqlValue }, Row>(
  build: (given: Placeholders<Params>) => Compilable<Row>,
): Query<Params, Row> {
  const given = new Proxy({} as Placeholders<Params>, {
    get: (_, name) => sql`${new Placeholder(String(name))}`,
  });
  const { sql: text, parameters } = build(given).compile();
  const bind = (params: Params): SqlValue[] => {
    const byName: { readonly [name: string]: SqlValue | undefined } = params;
    const values = parameters.map((parameter) => {
      const value = parameter instanceof Placeholder ? byName[parameter.name] : parameter;
      if (value === undefined) throw new Error(`a parameter is missing in ${text}`);
      return value as SqlValue;
    });
    refuseUnstorable(values);
    return values;
  };
  return {
    sql: text,
    // The builder's types are the claim about what this text returns; the port's suite holds it to that.
    all: (executor, params) => executor.all(text, bind(params)) as Promise<readonly Row[]>,
    get: (executor, params) => executor.get(text, bind(params)) as Promise<Row | undefined>,
    run: (executor, params) => executor.run(text, bind(params)),
  };
}

/** Whether both databases can keep the text as it is. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Every text on its way to a database passes here, also one that is only looked for. PostgreSQL keeps no NUL, and neither
 * database keeps half a surrogate pair: the one would fail, the other would quietly be another text.
 * @throws WorkspaceError `invalid_request`
 */
export function refuseUnstorable(values: readonly SqlValue[]): void {
  for (const value of values) {
    if (typeof value === 'string' && !isStorable(value)) {
      throw invalidRequest('The request contains text with a NUL or half a character (a lone surrogate)');
    }
  }
}
