import type {
  FieldRow,
  OutcomeRow,
  ResponseDescriptor,
  ResponseRow,
  RouteDescriptor,
  RouteRow,
} from '@stoa/contract';
import { routes } from '@stoa/contract';
import { z } from 'zod';

type Schema = z.core.JSONSchema._JSONSchema & object;

/** Returns the content of `packages/contract/src/routes/route-table.ts`, which a test compares with the routes. */
export function routeTableOf(): Readonly<Record<string, RouteRow>> {
  return Object.fromEntries(
    Object.entries<RouteDescriptor>(routes).map(([id, route]) => [id, outlineOf(route)]),
  );
}

export function routeTableSource(): string {
  return `// Written by \`npm run openapi\` from the routes, for programs that do without the schema library.
${importOf('RouteRow', '../route-row.ts')}
${importOf('RouteId', './routes.ts')}

export const routeTable = ${JSON.stringify(routeTableOf())} as const satisfies {
  readonly [Id in RouteId]: RouteRow & { readonly id: Id };
};
`;
}

function importOf(name: string, from: string): string {
  return `import type { ${name} } from '${from}';`;
}

function outlineOf({ id, method, path, restOfPath, body, responses }: RouteDescriptor): RouteRow {
  const results = Object.entries(responses).map(([status, response]) => [
    status,
    responseOf(Number(status), response),
  ]);
  return {
    id,
    method,
    path,
    ...(restOfPath === undefined ? {} : { restOfPath }),
    ...(body === 'bytes' ? { sendsBytes: true } : {}),
    responses: Object.fromEntries(results),
  };
}

function responseOf(status: number, { body }: ResponseDescriptor): ResponseRow {
  if (body === undefined) return 'none';
  if (body === 'bytes') return 'bytes';
  if (status < 400) return 'json';
  const schema = z.toJSONSchema(body);
  return outcomesOf(schema, schema.$defs ?? {});
}

function outcomesOf(schema: Schema, named: Readonly<Record<string, Schema>>): readonly OutcomeRow[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => outcomesOf(one, named));
  const name = schema.$ref?.replace('#/$defs/', '');
  if (name !== undefined) return outcomesOf(named[name] ?? {}, named);
  const { error, ...fields } = schema.properties ?? {};
  if (typeof error !== 'object' || typeof error.const !== 'string') {
    throw new TypeError('an outcome has an `error` of one value');
  }
  const table = Object.entries(fields).map(([name, field]) => {
    if (!schema.required?.includes(name)) throw new TypeError(`${error.const}: ${name} must be required`);
    return [name, fieldOf(field)];
  });
  return [{ error: error.const, fields: Object.fromEntries(table) }];
}

function fieldOf(schema: z.core.JSONSchema._JSONSchema): FieldRow {
  if (typeof schema === 'object') {
    const { type } = schema;
    if (schema.enum !== undefined) return schema.enum.map(String);
    if (type === 'integer' || type === 'boolean' || type === 'string' || type === 'array') return type;
  }
  throw new TypeError('a field of an outcome is an integer, a truth value, a text or a list');
}
