import { sep } from 'node:path';
import { shownText } from '../output/shown-text.ts';

/** Shortens the home folder of a path to `~`: `~/Notes`. */
export function shownFolder(home: string, folder: string): string {
  const isAtHome = home !== '' && folder.startsWith(`${home}${sep}`);
  return shownText(isAtHome ? `~${folder.slice(home.length)}` : folder);
}
