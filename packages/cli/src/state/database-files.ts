/** In the hidden folder: what is known of the folder, and what the process that works on it holds. */
export const stateFileName = 'state.db';
export const lockFileName = 'lock.db';

/** With what SQLite makes beside them. */
export const databaseFiles = [stateFileName, `${stateFileName}-wal`, `${stateFileName}-shm`, lockFileName];
