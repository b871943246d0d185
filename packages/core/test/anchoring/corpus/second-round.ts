import { type CorpusCase, change, mark, markPointBefore } from './corpus-case.ts';

/** Documents and edits by another author. Nothing was tuned between writing them and their first run. */
const runbook = `# Database failover

> Page the on-call engineer first. Always.

## When to fail over

Fail over only if the primary has been unreachable for five minutes and the replica's lag is below thirty seconds. In every other case, wait.

## Steps

1. Announce in #ops that you are starting
2. Run \`stoactl replica status\` and note the lag
3. Run \`stoactl primary fence\`
4. Run \`stoactl replica promote\`
5. Announce in #ops that you are done

\`\`\`sh
stoactl replica status --json
stoactl primary fence --force
stoactl replica promote --wait
\`\`\`

## Afterwards

Write the report within two days. The report names what was seen, what was done and what was learned; it never names who is to blame.

Known issue: the fence command hangs when DNS is down. Known issue: the dashboard shows the old primary for up to ten minutes.
`;

const minutes = `# Minutes, 4 June

Present: Aïsha, Björn, Chen
Excused: Dara

## Decisions

* We keep the free plan.
* We keep the yearly plan.
* We drop the trial.

## Discussion

Aïsha reported that sign-ups doubled since the trial ended. Björn doubts the numbers: the counting changed in the same week. Chen will recount.

Björn asked who pays for the new servers. Nobody knew.

Aïsha: “We should ask before we buy.”

## Next

- Chen: recount the sign-ups (by Friday)
- Björn: ask about the servers (by Friday)
- Aïsha: write to Dara
`;

const glossary = `# Glossary

**Change**: one entry of the feed. A change has a position.

**Conflicted copy**: bytes that lost a race. See *Change*.

**Thread**: a comment and its replies. A thread has an anchor.

**Anchor**: the text that a thread is about. An anchor has a status.
`;

export const secondRound: readonly CorpusCase[] = [
  {
    name: 'a step inserted and the rest renumbered',
    before: mark(runbook, 'Run `stoactl replica promote`'),
    after: mark(
      change(
        runbook,
        ['5. Announce in', '6. Announce in'],
        ['4. Run', '5. Run'],
        ['3. Run `stoactl primary fence`', '3. Take a snapshot\n4. Run `stoactl primary fence`'],
      ),
      'Run `stoactl replica promote`',
    ),
    expected: 'anchored',
  },
  {
    name: 'the fence step deleted, its twin in the code block stays',
    before: mark(runbook, 'stoactl primary fence', 1),
    after: change(
      runbook,
      ['3. Run `stoactl primary fence`\n4. Run', '3. Run'],
      ['5. Announce', '4. Announce'],
    ),
    expected: 'outdated',
  },
  {
    name: 'a flag changed in a code line',
    before: mark(runbook, 'stoactl primary fence --force'),
    after: mark(
      change(runbook, ['fence --force', 'fence --force --timeout 30']),
      'stoactl primary fence --force',
    ),
    expected: 'anchored',
  },
  {
    name: 'the last word of the quote changed',
    before: mark(runbook, 'it never names who is to blame'),
    after: mark(change(runbook, ['who is to blame', 'who is at fault']), 'it never names who is at fault'),
    expected: 'anchored',
  },
  {
    name: 'the first of two sentences that begin alike deleted',
    before: mark(runbook, 'Known issue', 1),
    after: change(runbook, ['Known issue: the fence command hangs when DNS is down. ', '']),
    expected: 'outdated',
  },
  {
    name: 'the second of two sentences that begin alike, the first deleted',
    before: mark(runbook, 'Known issue', 2),
    after: mark(
      change(runbook, ['Known issue: the fence command hangs when DNS is down. ', '']),
      'Known issue',
    ),
    expected: 'anchored',
  },
  {
    name: 'a condition made stricter',
    before: mark(runbook, 'unreachable for five minutes'),
    after: mark(
      change(runbook, ['for five minutes', 'for fifteen minutes']),
      'unreachable for fifteen minutes',
    ),
    expected: 'anchored',
  },
  {
    name: 'a sentence turned into a list',
    before: mark(runbook, 'what was seen, what was done and what was learned'),
    after: mark(
      change(runbook, [
        'The report names what was seen, what was done and what was learned; it never',
        'The report names\n\n- what was seen,\n- what was done and\n- what was learned;\n\nit never',
      ]),
      'what was seen,\n- what was done and\n- what was learned',
    ),
    expected: 'anchored',
  },
  {
    name: 'the whole runbook rewritten by an agent, one sentence kept',
    before: mark(runbook, 'Page the on-call engineer first.'),
    after: mark(
      `# Failing over the database

This page is for whoever holds the pager.

Page the on-call engineer first. Then read on.

1. Fence
2. Promote
3. Tell everybody
`,
      'Page the on-call engineer first.',
    ),
    expected: 'anchored',
  },
  {
    name: 'a name corrected everywhere',
    before: mark(minutes, 'Björn doubts the numbers'),
    after: mark(minutes.replaceAll('Björn', 'Bjørn'), 'Bjørn doubts the numbers'),
    expected: 'anchored',
  },
  {
    name: 'one of two similar decisions deleted',
    before: mark(minutes, 'We keep the free plan.'),
    after: change(minutes, ['* We keep the free plan.\n', '']),
    expected: 'outdated',
  },
  {
    name: 'one of two similar decisions reversed',
    before: mark(minutes, 'We keep the free plan.'),
    after: mark(change(minutes, ['We keep the free', 'We drop the free']), 'We drop the free plan.'),
    expected: 'anchored',
    why: 'One word of five: it is the same decision, now the other way, and the person who commented should see that.',
  },
  {
    name: 'the same deadline on the neighbour removed',
    before: mark(minutes, '(by Friday)', 2),
    after: mark(change(minutes, [' (by Friday)', '']), '(by Friday)'),
    expected: 'anchored',
  },
  {
    name: 'the own deadline removed, the neighbour keeps his',
    before: mark(minutes, '(by Friday)', 1),
    after: change(minutes, [' (by Friday)', '']),
    expected: 'outdated',
  },
  {
    name: 'tasks sorted by name',
    before: mark(minutes, 'recount the sign-ups'),
    after: mark(
      change(minutes, [
        '- Chen: recount the sign-ups (by Friday)\n- Björn: ask about the servers (by Friday)\n- Aïsha: write to Dara',
        '- Aïsha: write to Dara\n- Björn: ask about the servers (by Friday)\n- Chen: recount the sign-ups (by Friday)',
      ]),
      'recount the sign-ups',
    ),
    expected: 'anchored',
  },
  {
    name: 'typographic quotes made straight around and inside',
    before: mark(minutes, '“We should ask before we buy.”'),
    after: mark(
      change(minutes, ['“We should ask before we buy.”', '"We should ask before we buy."']),
      '"We should ask before we buy."',
    ),
    expected: 'anchored',
  },
  {
    name: 'a paragraph split, its halves swapped',
    before: mark(minutes, 'Chen will recount.'),
    after: mark(
      change(
        minutes,
        [' Chen will recount.', ''],
        ['Aïsha reported', 'Chen will recount.\n\nAïsha reported'],
      ),
      'Chen will recount.',
    ),
    expected: 'anchored',
  },
  {
    name: 'glossary sorted by the alphabet',
    before: mark(glossary, 'An anchor has a status.'),
    after: mark(
      `# Glossary

**Anchor**: the text that a thread is about. An anchor has a status.

**Change**: one entry of the feed. A change has a position.

**Conflicted copy**: bytes that lost a race. See *Change*.

**Thread**: a comment and its replies. A thread has an anchor.
`,
      'An anchor has a status.',
    ),
    expected: 'anchored',
  },
  {
    name: 'an entry removed, its last words close to another entry’s',
    before: mark(glossary, 'A thread has an anchor.'),
    after: change(glossary, ['**Thread**: a comment and its replies. A thread has an anchor.\n\n', '']),
    expected: 'outdated',
    why: '“An anchor has a status.” shares most words and is another sentence.',
  },
  {
    name: 'definitions turned into a table',
    before: mark(glossary, 'bytes that lost a race'),
    after: mark(
      `# Glossary

| Word | Meaning |
| --- | --- |
| Change | one entry of the feed |
| Conflicted copy | bytes that lost a race |
| Thread | a comment and its replies |
| Anchor | the text that a thread is about |
`,
      'bytes that lost a race',
    ),
    expected: 'anchored',
  },
  {
    name: 'an entry copied below itself and renamed',
    before: mark(glossary, 'one entry of the feed'),
    after: mark(
      change(glossary, [
        '**Conflicted copy**',
        '**Event**: one entry of the feed. A change has a position.\n\n**Conflicted copy**',
      ]),
      'one entry of the feed',
    ),
    expected: 'anchored',
  },
  {
    name: 'a point before a step, another step inserted further up',
    before: markPointBefore(runbook, '4. Run'),
    after: markPointBefore(change(runbook, ['2. Run', '2. Breathe\n2. Run']), '4. Run'),
    expected: 'anchored',
  },
  {
    name: 'a point at the end of a sentence, the sentence after it deleted',
    before: markPointBefore(minutes, ' Chen will recount.'),
    after: change(minutes, [' Chen will recount.', '']),
    expected: 'outdated',
  },
  {
    name: 'a quote across two paragraphs, the first rewritten',
    before: mark(minutes, 'Chen will recount.\n\nBjörn asked who pays'),
    after: change(minutes, [
      'Aïsha reported that sign-ups doubled since the trial ended. Björn doubts the numbers: the counting changed in the same week. Chen will recount.',
      'The numbers are open.',
    ]),
    expected: 'outdated',
  },
];
