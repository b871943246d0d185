import type { HttpDeps } from '../../http-deps.ts';
import type { shareCookie } from './share-cookie.ts';

/** Dependencies of the handlers below `/s/`. */
export interface SharePagesDeps extends HttpDeps {
  readonly cookie: ReturnType<typeof shareCookie>;
}
