import { keptSwitch } from '../store/kept.ts';

/** Whether who wrote what is shown beside texts: for all files, read or edited. */
export const showsWriters = keptSwitch('stoa.who-wrote-what', false);
