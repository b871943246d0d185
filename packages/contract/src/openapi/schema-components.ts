import { z } from 'zod';
import type { JsonSchema } from './openapi-types.ts';

/** Collects the named schemas that a document refers to, while their users are translated. */
export interface SchemaComponents {
  /** The JSON Schema of what goes over the wire; named schemas become references into the components. */
  schemaOf(schema: z.ZodType): JsonSchema;
  /** Those referred to so far, in alphabetical order. */
  collected(): Readonly<Record<string, JsonSchema>>;
}

export function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, JsonSchema>();
  return {
    schemaOf(schema) {
      // The input side: what a transform makes of it never goes over the wire, and answers may gain fields.
      const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', override: tidy });
      for (const [name, definition] of Object.entries($defs)) {
        const component = withComponentReferences(definition);
        const known = components.get(name);
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
          throw new Error(`two different schemas are named ${name}`);
        }
        components.set(name, component);
      }
      return withComponentReferences(root);
    },
    collected: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function withComponentReferences(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));
}

// The bounds of every integer of JavaScript, and the pattern behind a format, tell a reader nothing.
function tidy({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}
