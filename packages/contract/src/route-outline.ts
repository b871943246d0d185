import type { RouteMethod } from './route.ts';

/** What a caller needs of a route to ask it and to tell its answers apart: plain data, without the schemas. */
export interface RouteOutline {
  readonly id: string;
  readonly method: RouteMethod;
  /** With `{name}` for each parameter. */
  readonly path: `/api/${string}`;
  readonly restOfPath?: string;
  /** Set where the body is bytes rather than JSON. */
  readonly sendsBytes?: true;
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerOutline>>;
}

/** Nothing, bytes, JSON of a success, or outcomes that are data (interface: errors, Flat bodies). */
export type AnswerOutline = 'none' | 'bytes' | 'json' | readonly OutcomeOutline[];

/** A flat body: `error` and the fields beside it. Anything between client and service may answer with its status. */
export interface OutcomeOutline {
  readonly error: string;
  readonly fields: Readonly<Record<string, FieldOutline>>;
}

/** A list stands for one of its texts. */
export type FieldOutline = 'integer' | 'boolean' | 'string' | 'array' | readonly string[];
