declare const brand: unique symbol;

/** A primitive that passed a check: made only by the parser that checks it. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
