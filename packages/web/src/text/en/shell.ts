/** Texts of the frame around every page. */
export const shell = {
  product: 'Stoa',
} as const;
