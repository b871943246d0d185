import type { HeaderDescriptor, RouteAccess, RouteDescriptor } from '../route.ts';
import type { JsonSchema, OpenApiContent, OpenApiOperation, OpenApiParameter } from './openapi-types.ts';
import { responsesOf } from './responses-of.ts';
import type { SchemaComponents } from './schema-components.ts';

export function operationOf(route: RouteDescriptor, components: SchemaComponents): OpenApiOperation {
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route, components),
    ...headerParameters(route.headers ?? {}),
  ];
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: securityOf(route.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(route, components),
    responses: responsesOf(route, components),
  };
}

function pathParameters({ path, params, restOfPath }: RouteDescriptor): OpenApiParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const text = params?.[name] ?? (name === 'workspaceId' ? "The workspace's id." : undefined);
    if (text === undefined) throw new Error(`the parameter ${name} of ${path} is not described`);
    // OpenAPI has no parameter that spans slashes, so the text says so.
    const description = name === restOfPath ? `${text} It may span several segments.` : text;
    return { name, in: 'path', required: true, description, schema: { type: 'string' } };
  });
}

function queryParameters({ query }: RouteDescriptor, components: SchemaComponents): OpenApiParameter[] {
  if (query === undefined) return [];
  return Object.entries(query.shape).map(([name, field]) => {
    const { description, ...schema } = components.schemaOf(field);
    const required = !field.safeParse(undefined).success;
    return {
      name,
      in: 'query',
      required,
      ...(typeof description === 'string' ? { description } : {}),
      schema,
    };
  });
}

function headerParameters(headers: Readonly<Record<string, HeaderDescriptor>>): OpenApiParameter[] {
  return (
    Object.entries(headers)
      // OpenAPI ignores a parameter of this name: the media types of the body replace it.
      .filter(([name]) => name.toLowerCase() !== 'content-type')
      .map(([name, { description, example }]) => ({
        name,
        in: 'header',
        required: false,
        description,
        schema: { type: 'string', ...(example === undefined ? {} : { examples: [example] }) },
      }))
  );
}

function requestBodyOf(
  { body }: RouteDescriptor,
  components: SchemaComponents,
): Pick<OpenApiOperation, 'requestBody'> | Record<never, never> {
  if (body === undefined) return {};
  if (body === 'bytes') return { requestBody: { required: true, content: anyBytes } };
  const schema: JsonSchema = components.schemaOf(body);
  const required = !body.safeParse(undefined).success;
  return { requestBody: { required, content: { 'application/json': { schema } } } };
}

/** OpenAPI 3.1 describes raw bytes by a media type only. */
const anyBytes: OpenApiContent = { '*/*': { schema: {} } };

function securityOf(access: RouteAccess): OpenApiOperation['security'] {
  switch (access) {
    case 'none':
      return [];
    case 'session':
    case 'workspace-session':
    case 'keys':
      return [{ session: [] }];
    case 'caller':
    case 'workspace':
      return [{ apiKey: [] }, { session: [] }];
  }
}
