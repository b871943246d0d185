import type { ColumnTypes } from './column-types.ts';

/** A forward-only migration. `statements` run in one transaction together with the record of the migration. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** Its name in databases that got it in smaller steps. */
  readonly formerName?: string;
  statements(types: ColumnTypes): readonly string[];
}
