import type { RouteMethod } from './route.ts';

/** The facts that a client needs to call a route and to distinguish its responses: plain data, without schemas. */
export interface RouteRow {
  readonly id: string;
  readonly method: RouteMethod;
  /** With `{name}` for each parameter. */
  readonly path: `/api/${string}`;
  readonly restOfPath?: string;
  /** Set if the body is bytes rather than JSON. */
  readonly sendsBytes?: true;
  /** By status. */
  readonly responses: Readonly<Record<number, ResponseRow>>;
}

/** No body, bytes, JSON of a success, or outcomes that are data (interface: errors, Flat bodies). */
export type ResponseRow = 'none' | 'bytes' | 'json' | readonly OutcomeRow[];

/** A flat body: `error` and its other fields. Check them, because a proxy may respond with the same status. */
export interface OutcomeRow {
  readonly error: string;
  readonly fields: Readonly<Record<string, FieldRow>>;
}

/** A list means one of its texts. */
export type FieldRow = 'integer' | 'boolean' | 'string' | 'array' | readonly string[];
