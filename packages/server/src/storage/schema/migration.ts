import type { ColumnTypes } from './column-types.ts';

/** One step of the schema, forward only. `statements` run in one transaction together with the record of the step. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  statements(types: ColumnTypes): readonly string[];
}
