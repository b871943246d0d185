import { join } from 'node:path';
import { type ResponseDescriptor, type RouteDescriptor, routes } from '@stoa/contract';
import type { Plugin } from 'vite';
import { z } from 'zod';
import type { Shape } from '../src/api/outcome-shape.ts';

const virtualId = '\0stoa-contract';
const shapes = join(import.meta.dirname, '../src/api/outcome-shape.ts');

/**
 * Gives the client, in place of the contract, the part of its routes by which it makes requests and reads answers. The
 * contract itself brings the schema library: 60 kB compressed, for checks that the server makes anyway.
 */
export function slimContract(): Plugin {
  return {
    name: 'stoa-slim-contract',
    enforce: 'pre',
    resolveId: (id) => (id === '@stoa/contract' ? virtualId : null),
    load: (id) => (id === virtualId ? slimRoutes() : null),
  };
}

/** The source of a module that exports `routes`. */
export function slimRoutes(): string {
  const lines = Object.entries(routes).map(([name, route]) => `  ${name}: ${routeOf(route)},`);
  return `import { outcome } from ${JSON.stringify(shapes)};\nexport const routes = {\n${lines.join('\n')}\n};\n`;
}

function routeOf({ id, method, path, restOfPath, body, responses }: RouteDescriptor): string {
  const facts = { id, method, path, restOfPath, body: body === 'bytes' ? body : undefined };
  const answers = Object.entries(responses).map(
    ([status, response]) => `${status}: ${responseOf(Number(status), response)}`,
  );
  return `{ ...${JSON.stringify(facts)}, responses: { ${answers.join(', ')} } }`;
}

/** A success is read as it comes; of its schema it counts only that there is one. */
function responseOf(status: number, { body }: ResponseDescriptor): string {
  if (body === undefined) return '{}';
  if (body === 'bytes') return '{ body: "bytes" }';
  return status < 400 ? '{ body: {} }' : `{ body: outcome(${JSON.stringify(shapeOf(body))}) }`;
}

/** @throws Error for a schema of another kind than outcomes are made of so far: then `Shape` has to learn it. */
export function shapeOf(schema: z.ZodType): Shape {
  const { $defs = {}, ...described } = z.toJSONSchema(schema, { io: 'input' });
  return read(described);

  function read(part: z.core.JSONSchema._JSONSchema): Shape {
    if (typeof part !== 'object') throw unknownPart(part);
    if (part.$ref !== undefined) return read($defs[part.$ref.replace('#/$defs/', '')] ?? false);
    if (part.anyOf !== undefined) return { kind: 'any-of', shapes: part.anyOf.map(read) };
    switch (part.type) {
      case 'string': {
        const values = part.const === undefined ? part.enum : [part.const];
        return values === undefined ? { kind: 'text' } : { kind: 'text', oneOf: values.map(String) };
      }
      case 'integer':
        return { kind: 'integer', minimum: part.minimum ?? Number.MIN_SAFE_INTEGER };
      case 'array':
        if (typeof part.items !== 'object' || Array.isArray(part.items)) throw unknownPart(part);
        return { kind: 'list', of: read(part.items) };
      case 'object': {
        const { properties = {}, required = [] } = part;
        const fields = Object.entries(properties);
        if (fields.some(([name]) => !required.includes(name))) throw unknownPart(part);
        return {
          kind: 'object',
          fields: Object.fromEntries(fields.map(([name, field]) => [name, read(field)])),
        };
      }
      default:
        throw unknownPart(part);
    }
  }
}

function unknownPart(part: unknown): Error {
  return new Error(`slim-contract.ts knows no such part of a schema: ${JSON.stringify(part)}`);
}
