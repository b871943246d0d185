import { type CorpusCase, change, mark } from './corpus-case.ts';
import { essay, plan, standup } from './documents.ts';

const upload = 'The p95 upload time must stay under 200 ms';

export const editsElsewhere: readonly CorpusCase[] = [
  {
    name: 'nothing changed',
    before: mark(plan, upload),
    after: mark(plan, upload),
    expected: 'anchored',
  },
  {
    name: 'a paragraph inserted before',
    before: mark(plan, upload),
    after: mark(
      change(plan, ['We want the new', 'This plan replaces the one of last year.\n\nWe want the new']),
      upload,
    ),
    expected: 'anchored',
  },
  {
    name: 'a paragraph inserted after',
    before: mark(plan, upload),
    after: mark(change(plan, ['Success means', 'Downloads are out of scope.\n\nSuccess means']), upload),
    expected: 'anchored',
  },
  {
    name: 'a typo fixed in another section',
    before: mark(change(plan, ['carry twice', 'cary twice']), 'ten friendly teams'),
    after: mark(plan, 'ten friendly teams'),
    expected: 'anchored',
  },
  {
    name: 'front matter added at the top',
    before: mark(plan, 'error budget'),
    after: mark(`---\ntitle: Launch\ndate: 2026-03-02\n---\n\n${plan}`, 'error budget'),
    expected: 'anchored',
  },
  {
    name: 'the words on both sides replaced',
    before: mark(plan, 'ten friendly teams'),
    after: mark(
      change(plan, ['starts with ten friendly teams and widens', 'begins among ten friendly teams, growing']),
      'ten friendly teams',
    ),
    expected: 'anchored',
  },
  {
    name: 'the sentence before rewritten',
    before: mark(essay, 'an agent rewrote forty pages'),
    after: mark(
      change(essay, [
        'The first design kept a single backup per file. It failed in the second week:',
        'At first there was one backup. That broke early on:',
      ]),
      'an agent rewrote forty pages',
    ),
    expected: 'anchored',
  },
  {
    name: 'every paragraph but the commented one rewritten, headings kept',
    before: mark(plan, 'If they are not switched\noff, the feed will carry twice the load.'),
    after: mark(
      `# Launch plan

Mira owns this page.

## Goals

Beta customers get the client before summer. Uploads stay fast.

## Rollout

Ten teams first, then more, one group a week.

## Risks

The old clients keep polling every two seconds. If they are not switched
off, the feed will carry twice the load.

## Open questions

None left.
`,
      'If they are not switched\noff, the feed will carry twice the load.',
    ),
    expected: 'anchored',
  },
  {
    name: 'bodies rewritten under a commented heading that stays',
    before: mark(plan, '## Rollout'),
    after: mark(
      `# Launch plan

Mira owns this page.

## Goals

Beta customers get the client before summer. Uploads stay fast.

## Rollout

Ten teams first, then more, one group a week.

## Risks

Old clients cost twice the traffic.
`,
      '## Rollout',
    ),
    expected: 'anchored',
  },
  {
    name: 'the paragraph split in two',
    before: mark(essay, 'The cost is easy to state'),
    after: mark(
      change(essay, ['conflicted copy. The cost', 'conflicted copy.\n\nThe cost']),
      'The cost is easy to state',
    ),
    expected: 'anchored',
  },
  {
    name: 'two paragraphs joined',
    before: mark(plan, 'Success means that support tickets'),
    after: mark(
      change(plan, ['a million files.\n\nSuccess', 'a million files. Success']),
      'Success means that support tickets',
    ),
    expected: 'anchored',
  },
  {
    name: 'the other of two equal items edited',
    before: mark(standup, 'Blocked by: the review of the storage layer', 2),
    after: mark(
      change(standup, [
        '- Blocked by: the review of the storage layer',
        '- Blocked by: a missing test machine',
      ]),
      'Blocked by: the review of the storage layer',
    ),
    expected: 'anchored',
  },
  {
    name: 'a heading above one of several equal items renamed',
    before: mark(standup, 'Status: on track', 3),
    after: mark(
      change(standup, ['## Tuesday\n\n### Alice', '## Wednesday\n\n### Alice']),
      'Status: on track',
      3,
    ),
    expected: 'anchored',
  },
  {
    name: 'the second word of its kind stays when the first is deleted',
    before: mark(plan, 'wave', 2),
    after: mark(
      change(plan, [
        'Each\nwave waits for the error budget of the wave before. ',
        'It waits for the error budget of the wave before. ',
      ]),
      'wave',
    ),
    expected: 'anchored',
  },
];
