import type { AuthEndpoint } from './auth-endpoints.ts';
import type { AuthRequest } from './auth-request.ts';
import type { SessionLibrary } from './session-library.ts';

const userAgentMaxCharacters = 500;

/** Passes a request to the library. Its responses are JSON; an error has at least a `message`. */
export async function callLibrary(
  library: Pick<SessionLibrary, 'handler' | 'options'>,
  endpoint: Pick<AuthEndpoint, 'method' | 'path'>,
  request: Pick<AuthRequest, 'cookie' | 'userAgent'>,
  body: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const { baseURL, basePath } = library.options;
  const headers = new Headers();
  if (request.cookie !== null) headers.set('cookie', request.cookie);
  if (request.userAgent !== null)
    headers.set('user-agent', request.userAgent.slice(0, userAgentMaxCharacters));
  const { method } = endpoint;
  const init: RequestInit = { method, headers };
  if (method === 'POST') {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(body);
  }
  const response = await library.handler(new Request(`${baseURL}${basePath}/${endpoint.path}`, init));
  return response.status < 400 ? response : await withMessage(response);
}

async function withMessage(response: Response): Promise<Response> {
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  headers.delete('content-length');
  const body = hasMessage(text) ? text : JSON.stringify({ message: response.statusText || 'Sign-in failed' });
  return new Response(body, { status: response.status, headers });
}

function hasMessage(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';
  } catch {
    return false;
  }
}
