/** In the root of each linked folder: all that the program keeps about it. Never synced. */
export const hiddenFolderName = '.stoa';
export const configFileName = 'config.json';
