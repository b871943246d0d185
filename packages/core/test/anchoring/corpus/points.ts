import { type CorpusCase, change, markPointBefore } from './corpus-case.ts';
import { essay, plan } from './documents.ts';

const risks = plan.slice(plan.indexOf('## Risks'), plan.indexOf('## Open questions'));

export const points: readonly CorpusCase[] = [
  {
    name: 'a point, text inserted far above',
    before: markPointBefore(plan, 'Success means'),
    after: markPointBefore(change(plan, ['## Goals', 'New here.\n\n## Goals']), 'Success means'),
    expected: 'anchored',
  },
  {
    name: 'a point between two sentences, the second one edited further on',
    before: markPointBefore(essay, 'It failed in the second'),
    after: markPointBefore(
      change(essay, ['an agent rewrote forty', 'an agent changed thirty']),
      'It failed in the second',
    ),
    expected: 'anchored',
  },
  {
    name: 'a point, its file now with CRLF',
    before: markPointBefore(plan, '- Book the'),
    after: markPointBefore(plan.replaceAll('\n', '\r\n'), '- Book the'),
    expected: 'anchored',
  },
  {
    name: 'a point, both its sentences deleted',
    before: markPointBefore(essay, 'It failed in the second'),
    after: change(essay, [
      'The first design kept a single backup per file. It failed in the second week: an agent rewrote forty pages, a person rewrote them again, and the backup held neither of the two texts that mattered.\n\n',
      '',
    ]),
    expected: 'outdated',
  },
  {
    name: 'a point, a paragraph written into the gap',
    before: markPointBefore(plan, 'Success means'),
    after: change(plan, [
      'Success means',
      'The download time is not part of this plan, and neither is the search.\n\nSuccess means',
    ]),
    expected: 'outdated',
    why: 'What stood side by side no longer does; before or after the new paragraph is a guess.',
  },
  {
    name: 'a point in a section that moved',
    before: markPointBefore(plan, 'If they are not switched'),
    after: markPointBefore(
      change(plan, [risks, ''], ['## Goals', `${risks}## Goals`]),
      'If they are not switched',
    ),
    expected: 'anchored',
  },
  {
    name: 'a point at the very end, text appended',
    before: `${plan}⟦⟧`,
    after: `${plan}⟦⟧\nNobody, so far.\n`,
    expected: 'anchored',
    why: 'Text written after the end leaves the point after the last sentence.',
  },
];
