import { type CorpusCase, change, mark } from './corpus-case.ts';
import { essay, plan } from './documents.ts';

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

export const typography: readonly CorpusCase[] = [
  {
    name: 'the paragraph rewrapped at another width',
    before: mark(plan, 'Nobody is moved to the\nnew client without a warning'),
    after: mark(
      change(plan, [
        'The rollout starts with ten friendly teams and widens every Monday. Each\nwave waits for the error budget of the wave before. Nobody is moved to the\nnew client without a warning two days ahead.',
        'The rollout starts with ten friendly\nteams and widens every Monday. Each wave\nwaits for the error budget of the wave\nbefore. Nobody is moved to the new client\nwithout a warning two days ahead.',
      ]),
      'Nobody is moved to the new client\nwithout a warning',
    ),
    expected: 'anchored',
  },
  {
    name: 'hard wraps removed from the whole file',
    before: mark(plan, 'also when the workspace holds\na million files'),
    after: mark(
      plan.replace(/(?<=[a-z.,]) ?\n(?=[a-zA-Z])/g, ' '),
      'also when the workspace holds a million files',
    ),
    expected: 'anchored',
  },
  {
    name: 'LF became CRLF',
    before: mark(plan, 'every beta customer by June.\nThe p95 upload time'),
    after: mark(crlf(plan), 'every beta customer by June.\r\nThe p95 upload time'),
    expected: 'anchored',
  },
  {
    name: 'CRLF became LF, and a paragraph was added',
    before: mark(crlf(plan), 'switched\r\noff, the feed'),
    after: mark(change(plan, ['## Goals', 'Read the risks first.\n\n## Goals']), 'switched\noff, the feed'),
    expected: 'anchored',
  },
  {
    name: 'spaces became no-break spaces',
    before: mark(plan, 'under 200 ms'),
    after: mark(change(plan, ['200 ms', '200\u00a0ms']), 'under 200\u00a0ms'),
    expected: 'anchored',
  },
  {
    name: 'no-break spaces became spaces in the whole file',
    before: mark(plan.replaceAll(' the ', ' the\u00a0'), 'If they are not switched\noff, the\u00a0feed will'),
    after: mark(plan, 'If they are not switched\noff, the feed will'),
    expected: 'anchored',
  },
  {
    name: 'straight quotes became typographic ones',
    before: mark('They said "it\'s done" and left.\n\nNobody checked.\n', 'said "it\'s done" and left'),
    after: mark('They said “it’s done” and left.\n\nNobody checked.\n', 'said “it’s done” and left'),
    expected: 'anchored',
  },
  {
    name: 'an emoji added before and one inside the quote',
    before: mark(plan, 'Draft the announcement'),
    after: mark(
      change(
        plan,
        ['# Launch plan', '# 🚀 Launch plan'],
        ['Draft the announcement', 'Draft 📝 the announcement'],
      ),
      'Draft 📝 the announcement',
    ),
    expected: 'anchored',
  },
  {
    name: 'the quote holds emoji, text before it changes length in bytes',
    before: mark('# Café\n\nOpen at 9. 🎉 Free cake on day one 🎂 for all.\n', '🎉 Free cake on day one 🎂'),
    after: mark(
      '# Das Café\n\nÖffnet um 9. 🎉 Free cake on day one 🎂 for all.\n',
      '🎉 Free cake on day one 🎂',
    ),
    expected: 'anchored',
  },
  {
    name: 'list markers changed from dashes to stars',
    before: mark(plan, 'Book the demo room'),
    after: mark(plan.replaceAll(/^- /gm, '* '), 'Book the demo room'),
    expected: 'anchored',
  },
  {
    name: 'list markers changed, the quote spans two items',
    before: mark(plan, 'Review the plan\n- Book the demo room'),
    after: mark(plan.replaceAll(/^- /gm, '* '), 'Review the plan\n* Book the demo room'),
    expected: 'anchored',
  },
  {
    name: 'bullets became a numbered list',
    before: mark(plan, 'Review the plan with legal'),
    after: mark(
      change(
        plan,
        ['- Draft', '1. Draft'],
        ['- Review', '2. Review'],
        ['- Book', '3. Book'],
        ['- Review', '4. Review'],
      ),
      'Review the plan with legal',
    ),
    expected: 'anchored',
  },
  {
    name: 'the list indented under a new parent',
    before: mark(plan, 'Review the plan\n- Book the demo room'),
    after: mark(
      change(plan, [
        '- Draft the announcement\n- Review the plan\n- Book the demo room\n- Review the plan with legal',
        '- Before the launch\n  - Draft the announcement\n  - Review the plan\n  - Book the demo room\n  - Review the plan with legal',
      ]),
      'Review the plan\n  - Book the demo room',
    ),
    expected: 'anchored',
  },
  {
    name: 'the table padded into columns',
    before: mark(plan, '| Lost edits | Mira | open |'),
    after: mark(
      change(plan, [
        '| Risk | Owner | Status |\n| --- | --- | --- |\n| Double load | Jonas | open |\n| Lost edits | Mira | open |',
        '| Risk        | Owner | Status |\n| ----------- | ----- | ------ |\n| Double load | Jonas | open   |\n| Lost edits  | Mira  | open   |',
      ]),
      '| Lost edits  | Mira  | open   |',
    ),
    expected: 'anchored',
  },
  {
    name: 'the paragraph turned into a block quote and rewrapped',
    before: mark(plan, 'Each\nwave waits for the error budget of the wave before.'),
    after: mark(
      change(plan, [
        'The rollout starts with ten friendly teams and widens every Monday. Each\nwave waits for the error budget of the wave before. Nobody is moved to the\nnew client without a warning two days ahead.',
        '> The rollout starts with ten friendly teams and widens every Monday.\n> Each wave waits for the error budget of the wave before. Nobody is moved\n> to the new client without a warning two days ahead.',
      ]),
      'Each wave waits for the error budget of the wave before.',
    ),
    expected: 'anchored',
  },
  {
    name: 'heading level and emphasis style changed',
    before: mark(essay, "*nobody's bytes are thrown away*"),
    after: mark(
      change(
        essay,
        ['# Why we', '## Why we'],
        ["*nobody's bytes are thrown away*", "_nobody's bytes are thrown away_"],
      ),
      "_nobody's bytes are thrown away_",
    ),
    expected: 'anchored',
  },
  {
    name: 'a Chinese paragraph edited beside and inside the quote',
    before: mark(
      '# 计划\n\n我们希望在六月之前把新的同步客户端交给每一位测试用户。上传时间必须低于二百毫秒。\n',
      '新的同步客户端交给每一位测试用户',
    ),
    after: mark(
      '# 计划\n\n我们希望在七月之前把新的同步客户端发给每一位测试用户。上传时间必须低于二百毫秒。\n',
      '新的同步客户端发给每一位测试用户',
    ),
    expected: 'anchored',
  },
  {
    name: 'trailing spaces stripped and tabs expanded',
    before: mark('# Setup  \n\nRun\tthe installer  \nand wait for it.\n', 'Run\tthe installer  \nand wait'),
    after: mark('# Setup\n\nRun    the installer\nand wait for it.\n', 'Run    the installer\nand wait'),
    expected: 'anchored',
  },
  {
    name: 'a byte order mark added',
    before: mark(plan, '# Launch plan'),
    after: mark(`\ufeff${plan}`, '# Launch plan'),
    expected: 'anchored',
  },
];
