/** Databases in the hidden folder: the state, and the lock of the working process. */
export const stateFileName = 'state.db';
export const lockFileName = 'lock.db';

/** Includes the files that SQLite creates next to them. */
export const databaseFiles = [stateFileName, `${stateFileName}-wal`, `${stateFileName}-shm`, lockFileName];
