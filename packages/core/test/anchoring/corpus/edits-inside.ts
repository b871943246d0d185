import { type CorpusCase, change, mark } from './corpus-case.ts';
import { essay, plan, standup } from './documents.ts';

export const editsInside: readonly CorpusCase[] = [
  {
    name: 'a typo fixed in the quote',
    before: mark(change(plan, ['friendly', 'freindly']), 'ten freindly teams'),
    after: mark(plan, 'ten friendly teams'),
    expected: 'anchored',
  },
  {
    name: 'a typo fixed in a quote of one word',
    before: mark(change(plan, ['announcement', 'anouncement']), 'anouncement'),
    after: mark(plan, 'announcement'),
    expected: 'anchored',
  },
  {
    name: 'a number changed in the quote',
    before: mark(plan, 'The p95 upload time must stay under 200 ms'),
    after: mark(change(plan, ['200 ms', '250 ms']), 'The p95 upload time must stay under 250 ms'),
    expected: 'anchored',
  },
  {
    name: 'a word inserted in the quote',
    before: mark(plan, 'support tickets about lost edits fall by half'),
    after: mark(
      change(plan, ['lost edits fall', 'lost edits really fall']),
      'support tickets about lost edits really fall by half',
    ),
    expected: 'anchored',
  },
  {
    name: 'the quote put in bold',
    before: mark(plan, 'without a warning two days ahead'),
    after: mark(
      change(plan, ['without a warning two', 'without a **warning** two']),
      'without a **warning** two days ahead',
    ),
    expected: 'anchored',
  },
  {
    name: 'a word of the quote and the word beside it edited together',
    before: mark(essay, 'the backup held neither of the two texts'),
    after: mark(
      change(essay, [
        'and the backup held neither of the two texts that mattered',
        'so the backups held neither of the two texts which mattered',
      ]),
      'the backups held neither of the two texts',
    ),
    expected: 'anchored',
  },
  {
    name: 'a link wrapped around part of the quote',
    before: mark(essay, 'a stale write is kept as a conflicted copy'),
    after: mark(
      change(essay, ['a conflicted copy', 'a [conflicted copy](copies.md)']),
      'a stale write is kept as a [conflicted copy',
    ),
    expected: 'anchored',
    why: 'The bracket opens inside the quote and closes after it; the rest of the link is not what was quoted.',
  },
  {
    name: 'a whole sentence reworded',
    before: mark(essay, 'Storage is cheap and regret is expensive.'),
    after: change(essay, [
      'Storage is cheap and regret is expensive.',
      'Losing work hurts more than paying for disks.',
    ]),
    expected: 'outdated',
  },
  {
    name: 'a word replaced by another one',
    before: mark(plan, 'Monday'),
    after: change(plan, ['every Monday', 'every fortnight']),
    expected: 'outdated',
  },
  {
    name: 'the status of a table row changed',
    before: mark(plan, '| Double load | Jonas | open |'),
    after: mark(change(plan, ['Jonas | open', 'Jonas | done']), '| Double load | Jonas | done |'),
    expected: 'anchored',
  },
  {
    name: 'the quote translated',
    before: mark(plan, 'Who decides when a wave is rolled back?'),
    after: change(plan, [
      'Who decides when a wave is rolled back?',
      'Wer entscheidet, wann eine Welle zurückgenommen wird?',
    ]),
    expected: 'outdated',
  },
  {
    name: 'the first half of the quote deleted',
    before: mark(plan, 'Nobody is moved to the\nnew client without a warning two days ahead.'),
    after: change(plan, [
      'Nobody is moved to the\nnew client without a warning two days ahead.',
      'Give a warning.',
    ]),
    expected: 'outdated',
  },
  {
    name: 'a task ticked, its text typo-fixed',
    before: mark(
      '# Tasks\n\n- [ ] Call the bank\n- [ ] Recieve the parcel\n- [ ] Pay the rent\n',
      'Recieve the parcel',
    ),
    after: mark(
      '# Tasks\n\n- [x] Call the bank\n- [x] Receive the parcel\n- [ ] Pay the rent\n',
      'Receive the parcel',
    ),
    expected: 'anchored',
  },
  {
    name: 'one of several equal items reworded slightly',
    before: mark(standup, 'Status: on track', 2),
    after: mark(
      change(standup, ['### Bob\n\n- Status: on track', '### Bob\n\n- Status: on the track']),
      'Status: on the track',
    ),
    expected: 'anchored',
    why: 'The three other items that still read exactly so were there before, and are other text.',
  },
  {
    name: 'a similar item inserted above an edited one',
    before: mark(plan, 'Review the plan with legal'),
    after: mark(
      change(plan, [
        '- Review the plan with legal',
        '- Review the budget with finance\n- Review the plans with legal',
      ]),
      'Review the plans with legal',
    ),
    expected: 'anchored',
  },
];
