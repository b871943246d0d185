/** Sessions of one process. A file of its own, so that reading the settings does not load the database library. */
export const poolSizeDefault = 20;
export const poolSizeMin = 4;
