import { keptSwitch } from '../store/kept.ts';

/** Whether single keys (`?`, `n`, `g h`) do something. People who dictate switch them off. */
export const singleKeys = keptSwitch('stoa.single-keys', true);
