/** Stores differ in how long one value may be: Swift takes 256 characters. */
const valueCharacters = 240;
/** Far more than there are: Amazon's keeps 2048 characters in all. */
const valuesMax = 20;
const nameOf = (number: number) => `stoa-checks-${number}`;

/** What a store keeps beside an object and gives with each part of it: the object's checks. */
export function objectMetadata(checks: string): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (let number = 0; number * valueCharacters < checks.length; number += 1) {
    const start = number * valueCharacters;
    metadata[nameOf(number)] = checks.slice(start, start + valueCharacters);
  }
  return metadata;
}

/** @returns undefined for an object that has none. */
export function checksIn(metadata: Readonly<Record<string, string>> | undefined): string | undefined {
  const values: string[] = [];
  for (let number = 0; number < valuesMax; number += 1) {
    const value = metadata?.[nameOf(number)];
    if (value === undefined) break;
    values.push(value);
  }
  return values.length === 0 ? undefined : values.join('');
}
