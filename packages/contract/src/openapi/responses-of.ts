import type { ErrorCode } from '@stoa/core';
import { errorTable } from '../error-table.ts';
import { errorsOf } from '../errors-of.ts';
import type { ResponseDescriptor, RouteDescriptor } from '../route.ts';
import { errorBody } from '../schemas/error.ts';
import type { JsonSchema, OpenApiContent, OpenApiResponse } from './openapi-types.ts';
import type { SchemaComponents } from './schema-components.ts';

/** Returns all responses of a route by status: those that it declares, and its errors with their texts. */
export function responsesOf(
  route: RouteDescriptor,
  components: SchemaComponents,
): Readonly<Record<string, OpenApiResponse>> {
  const errors = Map.groupBy(errorsOf(route), (code) => errorTable[code].status);
  const statuses = new Set([...Object.keys(route.responses).map(Number), ...errors.keys()]);
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => [
        String(status),
        responseOf(route, route.responses[status], errors.get(status) ?? [], components),
      ]),
  );
}

function responseOf(
  route: RouteDescriptor,
  declared: ResponseDescriptor | undefined,
  errors: readonly ErrorCode[],
  components: SchemaComponents,
): OpenApiResponse {
  const description = [
    declared?.description,
    ...errors.map((code) => errorTable[code].statusMessage.replace(/\.?$/, '.')),
  ]
    .filter((text) => text !== undefined)
    .join('\n\n');
  const headers = { ...declaredHeaders(declared), ...errorHeaders(errors) };
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    // A response to HEAD never has a body, not even an error.
    ...(route.method === 'HEAD' ? {} : contentOf(declared, errors, components)),
  };
}

function contentOf(
  declared: ResponseDescriptor | undefined,
  errors: readonly ErrorCode[],
  components: SchemaComponents,
): { readonly content?: OpenApiContent } {
  if (declared?.body === 'bytes') return { content: { '*/*': { schema: {} } } };
  const schemas: JsonSchema[] = [];
  if (declared?.body !== undefined) schemas.push(components.schemaOf(declared.body));
  if (errors.some((code) => errorTable[code].flat === undefined))
    schemas.push(components.schemaOf(errorBody));
  for (const code of errors) {
    // A flat error that the route declares as a response has its schema there.
    if (errorTable[code].flat !== undefined && declared === undefined) schemas.push(flatSchema(code));
  }
  const [only, ...others] = schemas;
  if (only === undefined) return {};
  return { content: { 'application/json': { schema: others.length === 0 ? only : { anyOf: schemas } } } };
}

function flatSchema(code: ErrorCode): JsonSchema {
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

function errorHeaders(errors: readonly ErrorCode[]): NonNullable<OpenApiResponse['headers']> {
  const asksToWait: readonly ErrorCode[] = ['rate_limited', 'overloaded', 'shutting_down'];
  if (!errors.some((code) => asksToWait.includes(code))) return {};
  return {
    'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'string' } },
  };
}
