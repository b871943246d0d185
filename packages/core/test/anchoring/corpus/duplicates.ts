import { type CorpusCase, change, mark } from './corpus-case.ts';
import { essay, plan, standup } from './documents.ts';

const success = 'Success means that support tickets about lost edits fall by half.\n\n';
const quoteBlock = '> A backup that keeps the wrong version is a comfort blanket, not a backup.\n\n';

export const duplicates: readonly CorpusCase[] = [
  {
    name: 'the paragraph duplicated in place',
    before: mark(plan, 'lost edits fall by half'),
    after: change(plan, [success, success + success]),
    expected: 'ambiguous',
    why: 'Two equal paragraphs stand where one was: nothing tells which is the copy.',
  },
  {
    name: 'the paragraph duplicated in place, then the copy edited',
    before: mark(plan, 'lost edits fall by half'),
    after: mark(
      change(plan, [success, `${success}Success means also that nobody asks for the old client.\n\n`]),
      'lost edits fall by half',
    ),
    expected: 'anchored',
  },
  {
    name: 'the paragraph copied to the end',
    before: mark(plan, 'lost edits fall by half'),
    after: mark(`${plan}\n${success.trimEnd()}\n`, 'lost edits fall by half'),
    expected: 'anchored',
  },
  {
    name: 'the paragraph copied to the top',
    before: mark(essay, 'A backup that keeps the wrong version'),
    after: mark(
      change(essay, ['Storage is cheap', `${quoteBlock}Storage is cheap`]),
      'A backup that keeps the wrong version',
      2,
    ),
    expected: 'anchored',
  },
  {
    name: 'the whole file pasted twice',
    before: mark(plan, 'error budget'),
    after: mark(plan + plan, 'error budget'),
    expected: 'anchored',
    why: 'The first half is the file as it was; what follows was added at its end.',
  },
  {
    name: 'a list item inserted that begins like the quoted one',
    before: mark(plan, 'Review the plan', 1),
    after: mark(
      change(plan, ['- Review the plan\n', '- Review the plan of last year\n- Review the plan\n']),
      'Review the plan',
      2,
    ),
    expected: 'anchored',
  },
  {
    name: 'the quoted item stays, an equal one is added below',
    before: mark(standup, '2. Write to the vendor'),
    after: mark(
      change(standup, ['3. Close the old tickets', '3. Close the old tickets\n4. Write to the vendor again']),
      '2. Write to the vendor',
    ),
    expected: 'anchored',
  },
  {
    name: 'a day added from a template of equal items',
    before: mark(standup, 'Status: on track', 3),
    after: mark(
      change(standup, [
        '## Tuesday\n',
        '## Wednesday\n\n### Alice\n\n- Status: on track\n- Blocked by: nothing\n\n## Tuesday\n',
      ]),
      'Status: on track',
      4,
    ),
    expected: 'anchored',
  },
  {
    name: 'a repeated word doubled next to itself',
    before: mark('The answer is very clear to all of us.\n', 'very'),
    after: 'The answer is very very clear to all of us.\n',
    expected: 'ambiguous',
  },
  {
    name: 'the paragraph moved and pasted twice',
    before: mark(essay, 'comfort blanket'),
    after: change(
      essay,
      [quoteBlock, ''],
      ['Storage is cheap', `${quoteBlock}Storage is cheap`],
      ['What remains', `${quoteBlock}What remains`],
    ),
    expected: 'ambiguous',
  },
];
