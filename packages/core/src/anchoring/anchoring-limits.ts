/** Limits on what an anchor holds (interface: comments, Start a thread). Bytes of UTF-8. */
export const quoteMaxBytes = 4 * 1024;
export const contextMaxBytes = 512;

/** Least similarity of changed text to the quote it replaced, see `similarity`. */
export const similarityMin = 0.75;
/** Least similarity of the text around a short quote, below which the place counts as written anew; and how much of it. */
export const placeSimilarityMin = 0.6;
export const surroundingsMaxBytes = 256;
/** Bytes of words that two places must share before one can be taken for the other, moved. */
export const movedWordBytesMin = 24;
/** The same for a whole line that changed places within its own block. */
export const reorderedLineWordBytesMin = 7;

/** How far a neighbour of the quote may be, in words; beyond, only lines that stayed whole count. */
export const neighbourWordsMax = 6;
export const neighbourLinesMax = 3;
export const neighbourTokensMax = 4096;

/** Places that are compared one by one; of a text that occurs more often, only its own surroundings decide. */
export const placesExaminedMax = 64;
/** Places that a refusal lists. */
export const matchesListedMax = 10;
export const excerptMaxBytes = 160;

/** The differing part of two contents is diffed up to this size on each side; beyond, the diff says nothing. */
export const diffedBytesMax = 4 * 1024 * 1024;
/** Common text kept around the differing part, so that every window looked at lies within it. */
export const diffMarginBytes = 8 * 1024;
/** Steps of Myers' algorithm for one alignment of two contents, and its greatest edit distance in one gap. */
export const diffStepsMax = 3_000_000;
export const diffDistanceMax = 400;

/** The area between two neighbours is searched for changed text up to this size. */
export const areaMaxBytes = 16 * 1024;
/** Cells of the table that finds the best fitting part of such an area. */
export const fitCellsMax = 4_000_000;
/** Steps of one comparison of two texts. */
export const similarityStepsMax = 8_000_000;

/**
 * Contents up to this size, old and new together, cost at worst some 20 ms of CPU to resolve and may be so where they are
 * asked for. Larger ones belong off the event loop. Bytes.
 */
export const anchoringInlineMaxBytes = 64 * 1024;
