declare const brand: unique symbol;

/** A primitive that passed a check. Only the parser with that check creates it. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
