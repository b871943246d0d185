import { keptSwitch } from '../store/kept.ts';

/** Whether line authors are shown, for all files. */
export const showsWriters = keptSwitch('stoa.who-wrote-what', false);
