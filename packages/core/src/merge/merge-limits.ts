/**
 * Limits on the work of one merge. Beyond them the borders of changes become coarser, so that more counts as an
 * overlap; what one side alone wrote is still never lost.
 */

/** Steps of the two comparisons with the base, each: elements looked at. Some 0.3 s of CPU. */
export const mergeStepsMax = 20_000_000;

/** Edits between two parts before a search for the fewest is cut short, or the square root of their sizes if greater. */
export const mergeDistanceMin = 256;

/** UTF-16 units of changed lines, on any side, up to which they are looked at word by word. */
export const wordRegionMax = 1024 * 1024;
