import { parseRequest } from '@stoa/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** A client that is up to date asks the same again and again; longer texts are searches. */
const rememberedMax = 200;
const rememberedCharactersMax = 100;

export type QueryParser = (request: Pick<FastifyRequest, 'raw' | 'query'>) => unknown;

/**
 * What the queries of a route say, by its schema. What a short one said is remembered by its text: checking one takes longer
 * than most else that is done for a poll.
 * @throws WorkspaceError `invalid_request`, see `parseRequest`
 */
export function queryParser(schema: z.ZodType): QueryParser {
  const remembered = new Map<string, unknown>();
  return ({ raw, query }) => {
    const text = queryText(raw.url ?? '');
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const parsed = parseRequest(schema, query, 'query');
    if (text.length > rememberedCharactersMax) return parsed;
    if (remembered.size === rememberedMax) remembered.clear();
    // Requests share it.
    remembered.set(text, Object.freeze(parsed));
    return parsed;
  };
}

/** Behind what ends a path for the router. */
function queryText(target: string): string {
  const start = target.search(/[?#]/);
  return start === -1 ? '' : target.slice(start);
}
