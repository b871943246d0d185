/** As many bytes as a segment may have, in characters of four bytes each that hardly repeat: nothing makes them shorter. */
const segmentCharacters = 63;

function wideSegment(number: number, characters = segmentCharacters): string {
  return Array.from({ length: characters }, (_, i) =>
    String.fromCodePoint(0x20000 + (((number * segmentCharacters + i) * 7919) % 0x4000)),
  ).join('');
}

const wideSegments = (count: number) => Array.from({ length: count }, (_, i) => wideSegment(i)).join('/');

/** 511 characters: what is below it differs from the 513th on. */
export const longFolder = wideSegments(8);
/** 507 characters: what is below it differs around the 512th. */
export const shorterLongFolder = `${wideSegments(7)}/${wideSegment(7, 59)}`;
/** 1024 characters, the most that a path may have: 4048 bytes. */
export const longestPath = `${wideSegments(15)}/${wideSegment(15)}x`;
