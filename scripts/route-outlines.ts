import type {
  AnswerOutline,
  FieldOutline,
  OutcomeOutline,
  ResponseDescriptor,
  RouteDescriptor,
  RouteOutline,
} from '@stoa/contract';
import { routes } from '@stoa/contract';
import { z } from 'zod';

type Schema = z.core.JSONSchema._JSONSchema & object;

/** Returns the content of `packages/contract/src/routes/route-outlines.ts`, which a test compares with the routes. */
export function outlinesOfRoutes(): Readonly<Record<string, RouteOutline>> {
  return Object.fromEntries(
    Object.entries<RouteDescriptor>(routes).map(([id, route]) => [id, outlineOf(route)]),
  );
}

export function outlinesSource(): string {
  return `// Written by \`npm run openapi\` from the routes, for programs that do without the schema library.
${importOf('RouteOutline', '../route-outline.ts')}
${importOf('RouteId', './routes.ts')}

export const routeOutlines = ${JSON.stringify(outlinesOfRoutes())} as const satisfies {
  readonly [Id in RouteId]: RouteOutline & { readonly id: Id };
};
`;
}

function importOf(name: string, from: string): string {
  return `import type { ${name} } from '${from}';`;
}

function outlineOf({ id, method, path, restOfPath, body, responses }: RouteDescriptor): RouteOutline {
  const answers = Object.entries(responses).map(([status, response]) => [
    status,
    answerOf(Number(status), response),
  ]);
  return {
    id,
    method,
    path,
    ...(restOfPath === undefined ? {} : { restOfPath }),
    ...(body === 'bytes' ? { sendsBytes: true } : {}),
    answers: Object.fromEntries(answers),
  };
}

function answerOf(status: number, { body }: ResponseDescriptor): AnswerOutline {
  if (body === undefined) return 'none';
  if (body === 'bytes') return 'bytes';
  if (status < 400) return 'json';
  const schema = z.toJSONSchema(body);
  return outcomesOf(schema, schema.$defs ?? {});
}

function outcomesOf(schema: Schema, named: Readonly<Record<string, Schema>>): readonly OutcomeOutline[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => outcomesOf(one, named));
  const name = schema.$ref?.replace('#/$defs/', '');
  if (name !== undefined) return outcomesOf(named[name] ?? {}, named);
  const { error, ...fields } = schema.properties ?? {};
  if (typeof error !== 'object' || typeof error.const !== 'string') {
    throw new TypeError('an outcome has an `error` of one value');
  }
  const outlines = Object.entries(fields).map(([name, field]) => {
    if (!schema.required?.includes(name)) throw new TypeError(`${error.const}: ${name} must be required`);
    return [name, fieldOf(field)];
  });
  return [{ error: error.const, fields: Object.fromEntries(outlines) }];
}

function fieldOf(schema: z.core.JSONSchema._JSONSchema): FieldOutline {
  if (typeof schema === 'object') {
    const { type } = schema;
    if (schema.enum !== undefined) return schema.enum.map(String);
    if (type === 'integer' || type === 'boolean' || type === 'string' || type === 'array') return type;
  }
  throw new TypeError('a field of an outcome is an integer, a truth value, a text or a list');
}
