import fc from 'fast-check';
import type { WorkspacePath } from '../../../src/index.ts';
import { type Deed, doDeed, exactNaming, type Naming, Side } from './side.ts';
import { World } from './world.ts';

const deed: fc.Arbitrary<Deed> = fc.record({
  kind: fc.nat(11),
  a: fc.nat(400),
  b: fc.nat(400),
  content: fc.nat(6),
});
const deeds = (maxLength: number): fc.Arbitrary<Deed[]> => fc.array(deed, { maxLength });

export interface Case {
  readonly start: readonly Deed[];
  readonly meanwhile: readonly Deed[];
  readonly here: readonly Deed[];
  readonly there: readonly Deed[];
  readonly base: 'known' | 'older' | 'empty';
  readonly unknown: readonly number[];
  readonly hidden: readonly number[];
  readonly withoutHash: readonly number[];
  readonly order: readonly number[];
}

export const cases: fc.Arbitrary<Case> = fc.record({
  start: deeds(14),
  meanwhile: deeds(4),
  here: deeds(6),
  there: deeds(6),
  base: fc.constantFrom('known', 'known', 'known', 'older', 'empty'),
  unknown: fc.array(fc.nat(40), { maxLength: 2 }),
  hidden: fc.array(fc.nat(40), { maxLength: 2 }),
  withoutHash: fc.array(fc.nat(40), { maxLength: 2 }),
  order: fc.array(fc.nat(1000), { minLength: 4, maxLength: 12 }),
});

/** @param naming names and traits of the local disk. */
export function worldOf(example: Case, naming: Naming): World {
  const next = { object: 0 };
  const world = new World(naming.traits);
  const start = new Side(next, naming);
  for (const each of example.start) doDeed(start, each);
  world.startFrom(start);
  const middle = start.copy();
  for (const each of example.meanwhile) doDeed(middle, each);
  if (example.base === 'older') {
    world.changeHere(middle);
    world.changeThere(middle);
  }
  const from = example.base === 'older' ? middle : start;
  const [here, there] = [from.copy(), from.copy(exactNaming.traits)];
  for (const each of example.here) doDeed(here, each);
  for (const each of example.there) doDeed(there, each);
  world.changeHere(here);
  world.changeThere(there);
  if (example.base === 'empty') {
    world.base.clear();
    world.baseFolders.clear();
    world.isEmptyBase = true;
  }
  const pick = (
    numbers: readonly number[],
    paths: readonly WorkspacePath[],
    into: Set<WorkspacePath>,
  ): void => {
    for (const number of numbers) {
      const path = paths[number];
      if (path !== undefined) into.add(path);
    }
  };
  pick(example.unknown, [...new Set([...world.base.keys(), ...world.here.keys()])], world.unknown);
  pick(example.hidden, [...world.base.keys()], world.hidden);
  for (const path of world.hidden) world.there.delete(path);
  pick(
    example.withoutHash,
    [...world.there.keys()].filter((path) => !world.base.has(path)),
    world.withoutHash,
  );
  return world;
}
