import { hasCharacters, isVisibleLine } from '@stoa/core';
import { z } from 'zod';

interface Range {
  readonly min: number;
  readonly max: number;
}

const size = ({ min, max }: Range) => `${min === 0 ? 'at most' : `${min} to`} ${max} characters`;
const expected = (range: Range) => `must be ${size(range)}`;
const text = (range: Range) => z.string({ error: `must be a text of ${size(range)}` });
const noControls = { error: 'must not hold control characters' };
const lengths = ({ min, max }: Range) => ({ ...(min === 0 ? {} : { minLength: min }), maxLength: max });

/**
 * A line of text for people. Counted in characters (code points). Control characters and lone surrogates are
 * rejected, because databases and terminals may not accept them.
 */
export function line(range: Range, description: string) {
  return text(range)
    .refine((value) => hasCharacters(value, range), { error: expected(range), abort: true })
    .refine((value) => value.isWellFormed() && !/\p{Cc}/u.test(value), noControls)
    .meta({ ...lengths(range), description });
}

/** A name of a workspace or a key: a visible line, without surrounding white space. */
export function visibleName(range: Range, description: string) {
  return text(range)
    .trim()
    .refine((value) => hasCharacters(value, range), { error: expected(range), abort: true })
    .refine(isVisibleLine, noControls)
    .meta({ ...lengths(range), description });
}
