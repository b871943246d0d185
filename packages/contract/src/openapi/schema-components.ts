import { z } from 'zod';
import type { JsonSchema } from './openapi-types.ts';

/** Collects the named schemas of a document during their translation. */
export interface SchemaComponents {
  /** Returns the JSON Schema of a value on the wire; named schemas become references to the components. */
  schemaOf(schema: z.ZodType): JsonSchema;
  /** The schemas that were referred to so far, in alphabetical order. */
  collected(): Readonly<Record<string, JsonSchema>>;
}

export function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, JsonSchema>();
  return {
    schemaOf(schema) {
      // The input side, because the output of a transform is never sent, and responses may gain fields.
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

// The bounds of JavaScript integers and the pattern of a format do not help a reader.
function tidy({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}
