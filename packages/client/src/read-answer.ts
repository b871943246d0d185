import type { FieldOutline, OutcomeOutline, RouteOutline } from '@stoa/contract';
import { StoaApiError, StoaConnectionError } from './errors.ts';
import type { Answer } from './transport.ts';

/** The list of a million files fits. */
const answerMaxBytes = 512 * 1024 * 1024;
const errorMaxBytes = 256 * 1024;

/** Bytes as they arrive. They are read once: by the stream or by `bytes`. */
export interface ByteBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** All of them, in memory. Throws `StoaConnectionError` when the transfer breaks off. */
  bytes(): Promise<Uint8Array>;
}

/**
 * Reads an answer as its route describes it. A success is trusted to have the shape that the contract gives it; an
 * outcome is checked, because anything between here and the service may answer with its status.
 *
 * @param came is told of each piece of it.
 * @throws StoaApiError for an answer that the route does not describe.
 */
export async function readAnswer(route: RouteOutline, response: Answer, came: () => void) {
  const { status, headers } = response;
  const answer = route.answers[status];
  switch (answer) {
    case undefined:
      throw await readApiError(response);
    case 'none':
      return { status, headers, body: undefined };
    case 'bytes':
      return { status, headers, body: byteBodyOf(response) };
    case 'json':
      return { status, headers, body: await readJson(response, came) };
    default: {
      const error = await readApiError(response);
      const outcome = answer.find((one) => isOutcome(one, error.data));
      if (outcome === undefined) throw error;
      return { status, headers, body: error.data };
    }
  }
}

function isOutcome({ error, fields }: OutcomeOutline, data: Readonly<Record<string, unknown>>): boolean {
  return data.error === error && Object.entries(fields).every(([name, field]) => fits(field, data[name]));
}

function fits(field: FieldOutline, value: unknown): boolean {
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

function byteBodyOf(response: Answer): ByteBody {
  return {
    stream: response.body ?? new ReadableStream({ start: (controller) => controller.close() }),
    bytes: async () => {
      try {
        return new Uint8Array(await response.arrayBuffer());
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') throw error;
        throw new StoaConnectionError('The transfer broke off', { cause: error });
      }
    },
  };
}

async function readJson(response: Answer, came: () => void): Promise<Readonly<Record<string, unknown>>> {
  const value = await readJsonValue(response, came);
  if (isObject(value)) return value;
  throw notJson(response);
}

/** Any JSON value: null and lists too. */
export async function readJsonValue(response: Answer, came = () => {}): Promise<unknown> {
  try {
    return JSON.parse(await readText(response, answerMaxBytes, came));
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson(response);
    throw error;
  }
}

function notJson(response: Answer): StoaApiError {
  return new StoaApiError('The answer is not JSON: is the base address that of a Stoa service?', {
    status: response.status,
  });
}

/** The error that an answer stands for, whether or not it comes from the service itself. */
export async function readApiError(response: Answer): Promise<StoaApiError> {
  const body = parseObject(await readText(response, errorMaxBytes)) ?? {};
  const facts = { status: response.status, retryAfterSeconds: retryAfterSecondsOf(response) };
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    return new StoaApiError('The service answered with a redirect: use the address it leads to', facts);
  }
  const { message, statusMessage, data, error, code } = body;
  const isNamed = typeof error === 'string' || typeof code === 'string';
  const text = [message, statusMessage, error].find((candidate) => typeof candidate === 'string');
  return new StoaApiError(text ?? `The service answered with status ${response.status}`, {
    ...facts,
    data: isObject(data) ? data : isNamed ? body : {},
  });
}

async function readText(response: Answer, maxBytes: number, came = () => {}): Promise<string> {
  const pieces = response.pieces ?? (response.body === null ? null : chunksOf(response.body));
  if (pieces === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of pieces) {
    came();
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new StoaApiError(`The answer is longer than ${maxBytes} bytes`, { status: response.status });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
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

function retryAfterSecondsOf(response: Answer): number | null {
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
