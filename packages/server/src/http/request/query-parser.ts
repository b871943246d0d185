import { parseRequest } from '@stoa/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** A client that polls sends the same query repeatedly. Longer queries are searches. */
const rememberedMax = 200;
const rememberedCharactersMax = 100;

export type QueryParser = (request: Pick<FastifyRequest, 'raw' | 'query'>) => unknown;

/**
 * Parses the query of a route by its schema. Short queries are cached by their text, because validation is one of the
 * largest costs of a poll.
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
    // Frozen, because requests share it.
    remembered.set(text, Object.freeze(parsed));
    return parsed;
  };
}

/** The query begins where the router ends the path. */
function queryText(target: string): string {
  const start = target.search(/[?#]/);
  return start === -1 ? '' : target.slice(start);
}
