/**
 * Limits on the work of one merge. Beyond them the borders of changes become coarser, so that more counts as an
 * overlap. Text that only one side wrote is still never lost.
 */

/** Steps of each of the two comparisons with the base, counted in examined elements. About 0.3 s of CPU. */
export const mergeStepsMax = 20_000_000;

/**
 * Edits between two parts before the search for the fewest stops; the square root of their sizes if that is greater.
 */
export const mergeDistanceMin = 256;

/** Maximum size of changed lines on any side that are compared word by word, in UTF-16 units. */
export const wordRegionMax = 1024 * 1024;
