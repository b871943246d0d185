/** Sessions of one process. Here alone, so that settings are read without the library of the database. */
export const poolSizeDefault = 20;
export const poolSizeMin = 4;
