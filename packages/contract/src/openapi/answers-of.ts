import type { RefusalCode } from '@stoa/core';
import { errorTable } from '../error-table.ts';
import { refusalsOf } from '../refusals-of.ts';
import type { ResponseDescriptor, RouteDescriptor } from '../route.ts';
import { errorBody } from '../schemas/error.ts';
import type { JsonSchema, OpenApiContent, OpenApiResponse } from './openapi-types.ts';
import type { SchemaComponents } from './schema-components.ts';

/** Returns all responses of a route by status: those that it declares, and its errors with their texts. */
export function answersOf(
  route: RouteDescriptor,
  components: SchemaComponents,
): Readonly<Record<string, OpenApiResponse>> {
  const refusals = Map.groupBy(refusalsOf(route), (code) => errorTable[code].status);
  const statuses = new Set([...Object.keys(route.responses).map(Number), ...refusals.keys()]);
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => [
        String(status),
        answerOf(route, route.responses[status], refusals.get(status) ?? [], components),
      ]),
  );
}

function answerOf(
  route: RouteDescriptor,
  declared: ResponseDescriptor | undefined,
  refusals: readonly RefusalCode[],
  components: SchemaComponents,
): OpenApiResponse {
  const description = [
    declared?.description,
    ...refusals.map((code) => errorTable[code].statusMessage.replace(/\.?$/, '.')),
  ]
    .filter((text) => text !== undefined)
    .join('\n\n');
  const headers = { ...declaredHeaders(declared), ...refusalHeaders(refusals) };
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    // A response to HEAD never has a body, not even an error.
    ...(route.method === 'HEAD' ? {} : contentOf(declared, refusals, components)),
  };
}

function contentOf(
  declared: ResponseDescriptor | undefined,
  refusals: readonly RefusalCode[],
  components: SchemaComponents,
): { readonly content?: OpenApiContent } {
  if (declared?.body === 'bytes') return { content: { '*/*': { schema: {} } } };
  const schemas: JsonSchema[] = [];
  if (declared?.body !== undefined) schemas.push(components.schemaOf(declared.body));
  if (refusals.some((code) => errorTable[code].flat === undefined))
    schemas.push(components.schemaOf(errorBody));
  for (const code of refusals) {
    // A flat error that the route declares as a response has its schema there.
    if (errorTable[code].flat !== undefined && declared === undefined) schemas.push(flatSchema(code));
  }
  const [only, ...others] = schemas;
  if (only === undefined) return {};
  return { content: { 'application/json': { schema: others.length === 0 ? only : { anyOf: schemas } } } };
}

function flatSchema(code: RefusalCode): JsonSchema {
  return { type: 'object', properties: { error: { type: 'string', const: code } }, required: ['error'] };
}

function declaredHeaders(declared: ResponseDescriptor | undefined): NonNullable<OpenApiResponse['headers']> {
  return Object.fromEntries(
    Object.entries(declared?.headers ?? {})
      // OpenAPI ignores it, like the parameter of this name.
      .filter(([name]) => name !== 'Content-Type')
      .map(([name, { description, example }]) => [
        name,
        {
          description,
          schema: { type: 'string', ...(example === undefined ? {} : { examples: [example] }) },
        },
      ]),
  );
}

function refusalHeaders(refusals: readonly RefusalCode[]): NonNullable<OpenApiResponse['headers']> {
  const asksToWait: readonly RefusalCode[] = ['rate_limited', 'overloaded', 'shutting_down'];
  if (!refusals.some((code) => asksToWait.includes(code))) return {};
  return {
    'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'string' } },
  };
}
