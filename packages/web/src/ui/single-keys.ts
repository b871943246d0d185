import { keptSwitch } from '../store/kept.ts';

/** Whether single-key shortcuts (`?`, `n`, `g h`) are active. Users who dictate switch them off. */
export const singleKeys = keptSwitch('stoa.single-keys', true);
