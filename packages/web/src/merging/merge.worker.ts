import { mergeTexts } from '@stoa/core';
import type { MergeQuestion } from './merge-in-app.ts';

addEventListener('message', ({ data }: MessageEvent<MergeQuestion>) => {
  const { edits, overlaps } = mergeTexts(data.base, data.mine, data.theirs, { within: 'words' });
  postMessage({ edits, overlaps: overlaps.length });
});
