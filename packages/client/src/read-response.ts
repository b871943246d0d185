import type { FieldRow, OutcomeRow, RouteRow } from '@stoa/contract';
import { StoaApiError, StoaConnectionError } from './errors.ts';
import { createListReader } from './list-reader.ts';
import type { HttpResponse } from './transport.ts';

const responseMaxBytes = 64 * 1024 * 1024;
/** Enough for a list of a million files. It is parsed as it arrives, so its text is never in memory as a whole. */
const listMaxBytes = 512 * 1024 * 1024;
const errorMaxBytes = 256 * 1024;
/** Default limit of a file that is read into memory. */
const bytesMax = 512 * 1024 * 1024;

/** Bytes as they arrive. Read them once: by the stream or by `bytes`. */
export interface ByteBody {
  readonly stream: ReadableStream<Uint8Array>;
  /**
   * Reads all of them into memory. Throws `StoaConnectionError` if the transfer breaks off, and `StoaApiError` if more
   * than `maxBytes` arrive, whatever length was announced.
   * @param maxBytes 512 MiB by default.
   */
  bytes(maxBytes?: number): Promise<Uint8Array>;
}

/**
 * Reads a response as its route describes it. A success is assumed to have the contract's shape. An outcome is
 * checked, because a proxy may respond with its status.
 *
 * @param came called for each chunk
 * @throws StoaApiError for a response that the route does not describe
 */
export async function readResponse(route: RouteRow, response: HttpResponse, came: () => void) {
  const { status, headers } = response;
  const result = route.responses[status];
  switch (result) {
    case undefined:
      throw await readApiError(response);
    case 'none':
      return { status, headers, body: undefined };
    case 'bytes':
      return { status, headers, body: byteBodyOf(response) };
    case 'json':
      return {
        status,
        headers,
        body: await (route.id === 'listFiles' ? readList(response, came) : readJson(response, came)),
      };
    default: {
      const error = await readApiError(response);
      const outcome = result.find((one) => isOutcome(one, error.data));
      if (outcome === undefined) throw error;
      return { status, headers, body: error.data };
    }
  }
}

function isOutcome({ error, fields }: OutcomeRow, data: Readonly<Record<string, unknown>>): boolean {
  return data.error === error && Object.entries(fields).every(([name, field]) => fits(field, data[name]));
}

function fits(field: FieldRow, value: unknown): boolean {
  switch (field) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'array':
      return Array.isArray(value);
    default:
      return typeof value === 'string' && field.includes(value);
  }
}

function byteBodyOf(response: HttpResponse): ByteBody {
  const stream =
    response.body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
  return { stream, bytes: (maxBytes = bytesMax) => readBytes(response, stream, maxBytes) };
}

async function readBytes(
  { status }: HttpResponse,
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunksOf(stream)) {
      length += chunk.length;
      if (length > maxBytes) throw tooLong(status, maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof StoaApiError) throw error;
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new StoaConnectionError('The transfer broke off', { cause: error });
  }
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function tooLong(status: number, maxBytes: number): StoaApiError {
  return new StoaApiError(`The response is longer than ${maxBytes} bytes`, { status });
}

async function readList(
  response: HttpResponse,
  came: () => void,
): Promise<Readonly<Record<string, unknown>>> {
  const reader = createListReader();
  try {
    for await (const text of textsOf(response, listMaxBytes, came)) reader.add(text);
    const value = reader.end();
    if (isObject(value)) return value;
  } catch (error) {
    if (error instanceof RangeError) {
      throw new StoaApiError(`The list is too large: ${error.message}`, { status: response.status });
    }
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw notJson(response);
}

async function readJson(
  response: HttpResponse,
  came: () => void,
): Promise<Readonly<Record<string, unknown>>> {
  const value = await readJsonValue(response, came);
  if (isObject(value)) return value;
  throw notJson(response);
}

/** Reads any JSON value, including null and lists. */
export async function readJsonValue(response: HttpResponse, came = () => {}): Promise<unknown> {
  try {
    return JSON.parse(await readText(response, responseMaxBytes, came));
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson(response);
    throw error;
  }
}

function notJson(response: HttpResponse): StoaApiError {
  return new StoaApiError('The response is not JSON: is the base address that of a Stoa service?', {
    status: response.status,
  });
}

/** Returns the error of a response, whether or not it comes from the service itself. */
export async function readApiError(response: HttpResponse): Promise<StoaApiError> {
  const body = parseObject(await readText(response, errorMaxBytes)) ?? {};
  const facts = { status: response.status, retryAfterSeconds: retryAfterSecondsOf(response) };
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    return new StoaApiError('The service responded with a redirect: use the address it leads to', facts);
  }
  const { message, statusMessage, data, error, code } = body;
  const isNamed = typeof error === 'string' || typeof code === 'string';
  const text = [message, statusMessage, error].find((candidate) => typeof candidate === 'string');
  return new StoaApiError(text ?? `The service responded with status ${response.status}`, {
    ...facts,
    data: isObject(data) ? data : isNamed ? body : {},
  });
}

async function readText(response: HttpResponse, maxBytes: number, came = () => {}): Promise<string> {
  let all = '';
  for await (const text of textsOf(response, maxBytes, came)) all += text;
  return all;
}

async function* textsOf(response: HttpResponse, maxBytes: number, came: () => void): AsyncGenerator<string> {
  const chunks = response.chunks ?? (response.body === null ? null : chunksOf(response.body));
  if (chunks === null) return;
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of chunks) {
    came();
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLong(response.status, maxBytes);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

// Not every browser can iterate a stream.
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let ended = false;
  try {
    while (!ended) {
      const { done, value } = await reader.read();
      ended = done;
      if (value !== undefined) yield value;
    }
  } finally {
    if (!ended) await reader.cancel();
  }
}

function retryAfterSecondsOf(response: HttpResponse): number | null {
  const text = response.headers.get('Retry-After') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
