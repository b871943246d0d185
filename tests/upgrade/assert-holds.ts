import assert from 'node:assert/strict';

/** Asserts that all recorded values are present. A later version may have more fields. */
export function assertHolds(seen: unknown, recorded: unknown, location: string): void {
  if (Array.isArray(recorded)) {
    assert.ok(Array.isArray(seen) && seen.length === recorded.length, `${location}: ${JSON.stringify(seen)}`);
    for (const [index, item] of recorded.entries()) assertHolds(seen[index], item, `${location}[${index}]`);
  } else if (typeof recorded === 'object' && recorded !== null) {
    assert.ok(typeof seen === 'object' && seen !== null, `${location}: ${JSON.stringify(seen)}`);
    const fields = new Map(Object.entries(seen));
    for (const [name, value] of Object.entries(recorded)) {
      assertHolds(fields.get(name), value, `${location}.${name}`);
    }
  } else {
    assert.equal(seen, recorded, location);
  }
}
