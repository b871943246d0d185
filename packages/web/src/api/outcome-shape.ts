/** What the JSON body of an outcome looks like, as far as outcomes need it. The build writes these from the contract's schemas. */
export type Shape =
  | { readonly kind: 'text'; readonly oneOf?: readonly string[] }
  | { readonly kind: 'integer'; readonly minimum: number }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Shape>> }
  | { readonly kind: 'any-of'; readonly shapes: readonly Shape[] };

/**
 * Stands in the browser for the schema of an outcome: the schema library is larger than all else that a first page loads.
 * Anything between here and the service may answer with an outcome's status, so its body is checked all the same.
 */
export function outcome(shape: Shape) {
  return {
    safeParse: (data: unknown) =>
      hasShape(shape, data) ? ({ success: true, data } as const) : ({ success: false } as const),
  };
}

export function hasShape(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' && (shape.oneOf?.includes(value) ?? true);
    case 'integer':
      return Number.isSafeInteger(value) && Number(value) >= shape.minimum;
    case 'list':
      return Array.isArray(value) && value.every((each) => hasShape(shape.of, each));
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      const given: Readonly<Record<string, unknown>> = { ...value };
      return Object.entries(shape.fields).every(([name, field]) => hasShape(field, given[name]));
    }
    case 'any-of':
      return shape.shapes.some((each) => hasShape(each, value));
  }
}
