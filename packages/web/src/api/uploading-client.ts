import { createStoaClient } from '@stoa/client';
import { watched } from './client.ts';

/** A client that reports upload progress, which `fetch` cannot. For one upload. */
export function uploadingClient(onProgress: (sentBytes: number) => void) {
  return createStoaClient({ baseUrl: location.origin, fetch: watched(fetchByRequest(onProgress)) });
}

/** The part of `fetch` that the client uses, with XMLHttpRequest. */
function fetchByRequest(onProgress: (sentBytes: number) => void): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { method = 'GET', headers, body, signal } = init;
      const request = new XMLHttpRequest();
      request.open(method, String(input));
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.responseType = 'arraybuffer';
      request.upload.onprogress = ({ loaded }) => onProgress(loaded);
      request.onload = () => resolve(responseOf(request));
      request.onerror = () => reject(new TypeError('The request failed'));
      request.onabort = () => reject(signal?.reason ?? new TypeError('The request was broken off'));
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      if (body instanceof ReadableStream) reject(new TypeError('A stream cannot be sent this way'));
      else request.send(body ?? null);
    });
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  const { status, response } = request;
  const bodyless = status === 204 || status === 205 || status === 304;
  return new Response(bodyless ? null : (response as ArrayBuffer), { status, headers });
}
