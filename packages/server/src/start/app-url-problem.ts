import type { Config } from '../config/parse-config.ts';

/**
 * The server serves the web app only at the root of the API's origin.
 * @returns a warning about another app URL, or null.
 */
export function appUrlProblem({ baseUrl, appUrl }: Pick<Config, 'baseUrl' | 'appUrl'>): string | null {
  const served = new URL('/', baseUrl);
  const wanted = new URL(appUrl);
  if (wanted.origin === served.origin && wanted.pathname === '/') return null;
  return `the web app is not served at ${appUrl} (STOA_APP_URL), but only at ${served.href}: links that begin with STOA_APP_URL need a server there`;
}
