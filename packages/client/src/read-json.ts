import { StoaApiError } from './stoa-api-error.ts';

/** The list of a million files fits. */
const answerMaxBytes = 512 * 1024 * 1024;
const errorMaxBytes = 256 * 1024;

/**
 * The JSON body of a success. Its shape is the contract's: a service of this interface is trusted to keep it.
 * @throws StoaApiError when it is not a JSON object.
 */
export async function readJson<Answer extends object>(response: Response): Promise<Answer> {
  const value = parseObject(await readText(response, answerMaxBytes));
  if (value !== null) return value as Answer;
  throw new StoaApiError('The answer is not JSON: is the base address that of a Stoa service?', {
    status: response.status,
  });
}

/**
 * The flat body of an outcome that is data.
 * @throws StoaApiError when the answer has the outcome's status but is something else.
 */
export async function readOutcome<Outcome extends { readonly error: string }>(
  response: Response,
  names: readonly Outcome['error'][],
): Promise<Outcome> {
  const error = await readApiError(response);
  if (names.some((name) => name === error.code)) return error.data as Outcome;
  throw error;
}

/** The error that an answer stands for, whether or not it comes from the service itself. */
export async function readApiError(response: Response): Promise<StoaApiError> {
  const body = parseObject(await readText(response, errorMaxBytes)) ?? {};
  const facts = { status: response.status, retryAfterSeconds: retryAfterSecondsOf(response) };
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    return new StoaApiError('The service answered with a redirect: use the address it leads to', facts);
  }
  const { message, statusMessage, data, error } = body;
  const text = [message, statusMessage, error].find((candidate) => typeof candidate === 'string');
  return new StoaApiError(text ?? `The service answered with status ${response.status}`, {
    ...facts,
    data: isObject(data) ? data : typeof error === 'string' ? body : {},
  });
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of chunksOf(response.body)) {
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

function retryAfterSecondsOf(response: Response): number | null {
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
