import type { Config } from '../config/parse-config.ts';

/**
 * The web app stands at the root of the one origin that the API has. @returns what is to be said about an address of the
 * app at which this server does not serve it, null when it does.
 */
export function appUrlProblem({ baseUrl, appUrl }: Pick<Config, 'baseUrl' | 'appUrl'>): string | null {
  const served = new URL('/', baseUrl);
  const wanted = new URL(appUrl);
  if (wanted.origin === served.origin && wanted.pathname === '/') return null;
  return `the web app is not served at ${appUrl} (STOA_APP_URL), but only at ${served.href}: links that begin with STOA_APP_URL need something there that answers them`;
}
