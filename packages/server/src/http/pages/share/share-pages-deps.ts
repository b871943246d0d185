import type { HttpDeps } from '../../http-deps.ts';
import type { shareCookie } from './share-cookie.ts';

/** What answers the addresses below `/s/` is given. */
export interface SharePagesDeps extends HttpDeps {
  readonly cookie: ReturnType<typeof shareCookie>;
}
