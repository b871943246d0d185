/** Larger files are not edited in parts, merged or replayed. */
export const editedFileMaxBytes = 16 * 1024 * 1024;
