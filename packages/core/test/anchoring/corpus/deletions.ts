import { type CorpusCase, change, mark } from './corpus-case.ts';
import { essay, plan, standup } from './documents.ts';

const risks = plan.slice(plan.indexOf('## Risks'), plan.indexOf('## Open questions'));

export const deletions: readonly CorpusCase[] = [
  {
    name: 'the sentence deleted',
    before: mark(plan, 'Nobody is moved to the\nnew client without a warning two days ahead.'),
    after: change(plan, [' Nobody is moved to the\nnew client without a warning two days ahead.', '']),
    expected: 'outdated',
  },
  {
    name: 'the section deleted',
    before: mark(plan, 'twice the load'),
    after: change(plan, [risks, '']),
    expected: 'outdated',
  },
  {
    name: 'the first of two equal items deleted',
    before: mark(plan, 'Review the plan'),
    after: change(plan, ['- Review the plan\n', '']),
    expected: 'outdated',
    why: '“Review the plan with legal” holds the quote, but it is the other item.',
  },
  {
    name: 'one of several equal items deleted',
    before: mark(standup, 'Status: on track', 2),
    after: change(standup, ['### Bob\n\n- Status: on track\n', '### Bob\n\n']),
    expected: 'outdated',
    why: 'What still reads so stood there before, under other names.',
  },
  {
    name: 'one of two equal sentences deleted',
    before: mark(standup, 'Blocked by: the review of the storage layer', 1),
    after: change(standup, ['- Blocked by: the review of the storage layer\n', '']),
    expected: 'outdated',
  },
  {
    name: 'a look-alike written elsewhere after the deletion',
    before: mark(plan, 'TODO'),
    after: change(
      plan,
      ['TODO: ask finance about the budget.\n\n', ''],
      ['Owner: Mira.', 'TODO add owner. Mira?'],
    ),
    expected: 'outdated',
  },
  {
    name: 'a table row deleted beside a similar one',
    before: mark(plan, 'Mira | open'),
    after: change(plan, ['| Lost edits | Mira | open |\n', '']),
    expected: 'outdated',
  },
  {
    name: 'one of three similar releases deleted',
    before: mark(
      '# Dates\n\n- Ship v1.1 on Monday\n- Ship v1.2 on Monday\n- Ship v1.3 on Monday\n\nDone.\n',
      'Ship v1.2 on Monday',
    ),
    after: '# Dates\n\n- Ship v1.1 on Monday\n- Ship v1.3 on Monday\n\nDone.\n',
    expected: 'outdated',
    why: 'v1.3 is one character away, and another release.',
  },
  {
    name: 'the quote deleted while its neighbours are edited',
    before: mark(
      essay,
      'It failed in the second week: an agent rewrote forty pages, a person rewrote them again, and',
    ),
    after: change(essay, [
      'The first design kept a single backup per file. It failed in the second week: an agent rewrote forty pages, a person rewrote them again, and the backup held neither',
      'The first design kept one backup per file. The backup held neither',
    ]),
    expected: 'outdated',
  },
  {
    name: 'everything deleted',
    before: mark(plan, 'error budget'),
    after: '',
    expected: 'outdated',
  },
  {
    name: 'another document put in its place',
    before: mark(plan, 'Risks'),
    after: `# Risks of cycling in winter

Ice is the first. Cold hands are the second, since brakes need fingers.
The rest is dark mornings and drivers who do not expect anybody.
`,
    expected: 'outdated',
  },
  {
    name: 'the section replaced by one that uses the same word',
    before: mark(plan, 'budget'),
    after: change(plan, [
      'The rollout starts with ten friendly teams and widens every Monday. Each\nwave waits for the error budget of the wave before. Nobody is moved to the\nnew client without a warning two days ahead.',
      'Finance has to sign off first, because the travel budget is spent. After\nthat we ask Jonas, who knows the venues, for three offers.',
    ]),
    expected: 'outdated',
  },
];
