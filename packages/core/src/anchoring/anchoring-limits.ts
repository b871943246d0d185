/** Limits on the texts of an anchor (interface: comments, Start a thread). Bytes of UTF-8. */
export const quoteMaxBytes = 4 * 1024;
export const contextMaxBytes = 512;

/** Minimum similarity of changed text to the quote it replaced, see `similarity`. */
export const similarityMin = 0.75;
/**
 * Minimum similarity of the text around a short quote, and the size of that text. Below it, the text counts as newly
 * written.
 */
export const matchSimilarityMin = 0.6;
export const nearbyMaxBytes = 256;
/** Bytes of words that two ranges must share before the text of one can count as moved to the other. */
export const movedWordBytesMin = 24;
/** The same for a whole line that moved within its own block. */
export const reorderedLineWordBytesMin = 7;

/** The greatest distance of a neighbour from the quote, in words. Farther away, only lines that stayed whole count. */
export const neighbourWordsMax = 6;
export const neighbourLinesMax = 3;
export const neighbourTokensMax = 4096;

/** Matches that are compared one by one. If a text occurs more often, only its own context decides. */
export const matchesExaminedMax = 64;
/** Matches that an error lists. */
export const matchesListedMax = 10;
export const excerptMaxBytes = 160;

/** The differing part of two contents is diffed up to this size on each side. Beyond it there is no diff. */
export const diffedBytesMax = 4 * 1024 * 1024;
/** Common text kept around the differing part, so that it contains every window that is examined. */
export const diffMarginBytes = 8 * 1024;
/** Steps of the comparison for one alignment of two contents, counted in examined elements. */
export const diffStepsMax = 3_000_000;

/** The area between two neighbours is searched for changed text up to this size. */
export const areaMaxBytes = 16 * 1024;
/** Cells of the table for finding the best fit in such an area. */
export const fitCellsMax = 4_000_000;
/** Steps of one comparison of two texts. */
export const similarityStepsMax = 8_000_000;

/**
 * Maximum size of both contents together for which an anchor may be resolved on the event loop: at worst that takes
 * about 20 ms of CPU. Larger ones belong on another thread. Bytes.
 */
export const anchoringInlineMaxBytes = 64 * 1024;
