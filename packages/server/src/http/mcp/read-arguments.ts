import { createJsonStructure, smallJsonBytes } from '../request/read-json-body.ts';

/**
 * Normalises the arguments of tool calls: null becomes absent, and an object that was sent as JSON text is parsed.
 * The protocol accepts objects only, and clients send both.
 */
export function withArgumentsRead(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withArgumentsRead);
  if (!isRecord(body) || body.method !== 'tools/call' || !isRecord(body.params)) return body;
  const { arguments: given, ...params } = body.params;
  if (given === null) return { ...body, params };
  const read = typeof given === 'string' ? parseObject(given) : null;
  return read === null ? body : { ...body, params: { ...params, arguments: read } };
}

/** @returns null for text that is not a JSON object, or has more structure than a body may have */
function parseObject(text: string): unknown {
  if (text.length > smallJsonBytes || !text.trimStart().startsWith('{')) return null;
  try {
    createJsonStructure().push(Buffer.from(text));
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
