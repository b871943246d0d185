import type { ByteRange } from '../anchor.ts';
import type { TokenAlignment } from '../diff/alignment.ts';
import { tokensTouched } from '../diff/token-range.ts';

/**
 * The origin of text according to the diff. `kept`: on a line that stayed whole, of other text than the pinned range.
 * `reworked`: matched with other words on a changed line, which may be chance. Otherwise `new`.
 */
export type Origin = 'new' | 'reworked' | 'kept';

/** Returns the origin of most of the words at `place`, a range of the current content. */
export function originOf(tokens: TokenAlignment, range: ByteRange, match: ByteRange): Origin {
  const { pinned, current, toPinned, inKeptLine } = tokens;
  const first = current.starts[0] ?? current.bytes.length;
  const last = current.ends[current.count - 1] ?? 0;
  // All text outside the differing part is kept; the pinned range itself would have been found there.
  if (match.start < first || match.end > last) return 'kept';
  const then = tokensTouched(pinned, range);
  const now = tokensTouched(current, match);
  let matched = 0;
  let kept = 0;
  for (let i = now.first; i < now.end; i += 1) {
    const from = toPinned[i] ?? -1;
    if (from < 0 || (from >= then.first && from < then.end)) continue;
    matched += 1;
    kept += inKeptLine[from] ?? 0;
  }
  const most = (now.end - now.first) / 2;
  return kept > most ? 'kept' : matched > most ? 'reworked' : 'new';
}
