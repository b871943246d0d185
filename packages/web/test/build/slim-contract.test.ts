import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RouteDescriptor, routes } from '@stoa/contract';
import fc from 'fast-check';
import { shapeOf, slimRoutes } from '../../build/slim-contract.ts';
import { hasShape, type Shape } from '../../src/api/outcome-shape.ts';

const outcomes = Object.values<RouteDescriptor>(routes).flatMap(({ id, responses }) =>
  Object.entries(responses).flatMap(([status, { body }]) =>
    Number(status) >= 400 && body !== undefined && body !== 'bytes'
      ? [{ name: `${id} ${status}`, body }]
      : [],
  ),
);

for (const { name, body } of outcomes) {
  test(`${name} is told from other bodies as by its schema`, () => {
    const shape = shapeOf(body);
    let fitting = 0;
    fc.assert(
      fc.property(bodiesLike(shape), (value) => {
        const { success } = body.safeParse(value);
        if (success) fitting += 1;
        assert.equal(hasShape(shape, value), success);
      }),
    );
    assert.ok(fitting > 0, 'no body fitted');
    for (const value of [undefined, null, [], 'text', {}, { error: 'other' }]) {
      assert.equal(hasShape(shape, value), body.safeParse(value).success);
    }
  });
}

test('every route keeps its address and its answers, and nothing of the schema library', async () => {
  const source = slimRoutes();
  for (const { id, path, responses } of Object.values<RouteDescriptor>(routes)) {
    const line = source.split('\n').find((each) => each.includes(`"id":"${id}"`)) ?? '';
    assert.ok(line.includes(`"path":"${path}"`), id);
    for (const status of Object.keys(responses)) assert.ok(line.includes(`${status}: {`), `${id} ${status}`);
  }
  assert.doesNotMatch(source, /zod|description/);
});

/** Values of the shape, with parts left out or of another kind. */
function bodiesLike(shape: Shape): fc.Arbitrary<unknown> {
  const other = fc.constantFrom<unknown>(null, '', 'text', 0, -1, 1.5, true, [], {});
  return fc.oneof({ weight: 6, arbitrary: fitting(shape) }, { weight: 1, arbitrary: other });

  function fitting(part: Shape): fc.Arbitrary<unknown> {
    switch (part.kind) {
      case 'text':
        return part.oneOf === undefined ? fc.string() : fc.constantFrom(...part.oneOf);
      case 'integer':
        return fc.integer({ min: Math.max(part.minimum, -1000) });
      case 'list':
        return fc.array(bodiesLike(part.of), { maxLength: 3 });
      case 'object':
        return fc.record(
          Object.fromEntries(Object.entries(part.fields).map(([name, field]) => [name, bodiesLike(field)])),
          { requiredKeys: [] },
        );
      case 'any-of':
        return fc.oneof(...part.shapes.map(bodiesLike));
    }
  }
}
