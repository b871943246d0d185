import { type CorpusCase, change, mark } from './corpus-case.ts';
import { essay, plan, standup } from './documents.ts';

const risks = plan.slice(plan.indexOf('## Risks'), plan.indexOf('## Open questions'));
const goals = plan.slice(plan.indexOf('## Goals'), plan.indexOf('## Rollout'));
const failed = essay.slice(essay.indexOf('The first design'), essay.indexOf('> A backup'));

export const moves: readonly CorpusCase[] = [
  {
    name: 'the section moved to the top, quote in its body',
    before: mark(plan, 'keep polling every two seconds'),
    after: mark(
      change(plan, [risks, ''], ['## Goals', `${risks}## Goals`]),
      'keep polling every two seconds',
    ),
    expected: 'anchored',
  },
  {
    name: 'the section moved to the end, quote is its heading',
    before: mark(plan, '## Goals'),
    after: mark(`${change(plan, [goals, ''])}\n${goals.trimEnd()}\n`, '## Goals'),
    expected: 'anchored',
  },
  {
    name: 'one word quoted in a section that moved',
    before: mark(plan, 'switched'),
    after: mark(change(plan, [risks, ''], ['## Goals', `${risks}## Goals`]), 'switched'),
    expected: 'anchored',
  },
  {
    name: 'the paragraph moved below its neighbour',
    before: mark(essay, 'It failed in the second week'),
    after: mark(
      change(essay, [failed, ''], ['What remains is', `${failed}What remains is`]),
      'It failed in the second week',
    ),
    expected: 'anchored',
  },
  {
    name: 'the sentence moved to another section',
    before: mark(plan, 'Success means that support tickets about lost edits fall by half.'),
    after: mark(
      change(
        plan,
        ['Success means that support tickets about lost edits fall by half.\n\n', ''],
        ['Who decides', 'Success means that support tickets about lost edits fall by half.\n\nWho decides'],
      ),
      'Success means that support tickets about lost edits fall by half.',
    ),
    expected: 'anchored',
  },
  {
    name: 'an item moved up in its list',
    before: mark(plan, 'Book the demo room'),
    after: mark(
      change(
        plan,
        ['- Book the demo room\n', ''],
        ['- Draft the announcement\n', '- Book the demo room\n- Draft the announcement\n'],
      ),
      'Book the demo room',
    ),
    expected: 'anchored',
  },
  {
    name: 'numbered steps reordered and renumbered',
    before: mark(standup, 'Close the old tickets'),
    after: mark(
      change(standup, [
        '1. Measure the cold start\n2. Write to the vendor\n3. Close the old tickets',
        '1. Close the old tickets\n2. Measure the cold start\n3. Write to the vendor',
      ]),
      'Close the old tickets',
    ),
    expected: 'anchored',
  },
  {
    name: 'table rows swapped',
    before: mark(plan, 'Lost edits | Mira'),
    after: mark(
      change(plan, [
        '| Double load | Jonas | open |\n| Lost edits | Mira | open |',
        '| Lost edits | Mira | open |\n| Double load | Jonas | open |',
      ]),
      'Lost edits | Mira',
    ),
    expected: 'anchored',
  },
  {
    name: 'a block of equal-looking items moved as a whole',
    before: mark(standup, 'Status: on track', 2),
    after: mark(
      change(
        standup,
        ['### Bob\n\n- Status: on track\n- Blocked by: the review of the storage layer\n\n', ''],
        [
          '### Alice\n\n',
          '### Bob\n\n- Status: on track\n- Blocked by: the review of the storage layer\n\n### Alice\n\n',
        ],
      ),
      'Status: on track',
      1,
    ),
    expected: 'anchored',
    why: 'Bob’s block now stands above Alice’s; the comment belongs to Bob.',
  },
  {
    name: 'the section moved and a typo fixed in the quote',
    before: mark(change(plan, ['polling every', 'poling every']), 'keep poling every two seconds'),
    after: mark(
      change(plan, [risks, ''], ['## Goals', `${risks}## Goals`]),
      'keep polling every two seconds',
    ),
    expected: 'anchored',
  },
  {
    name: 'the section moved and the paragraph beside the quote rewritten',
    before: mark(plan, 'The old clients keep polling every two seconds.'),
    after: mark(
      change(
        plan,
        [risks, ''],
        [
          '## Goals',
          '## Dangers\n\nThe old clients keep polling every two seconds. That doubles our bill.\n\n## Goals',
        ],
      ),
      'The old clients keep polling every two seconds.',
    ),
    expected: 'anchored',
  },
];
