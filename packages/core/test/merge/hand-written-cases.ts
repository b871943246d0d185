import type { MergeCase } from './merge-case.ts';

const plan = '# Plan\n\nShip on Friday.\nTell everybody.\n\n- one\n- two\n- three\n\nThe end.\n';

/** Each case covers one situation. It changes `plan` by replacements. */
export const handWrittenCases: readonly MergeCase[] = [
  changed('lines apart', [['one', '1']], [['three', '3']]),
  changed('neighbouring lines', [['one', '1']], [['two', '2']]),
  changed('one unchanged line between', [['one', '1']], [['three\n', '']]),
  changed('the same line alike', [['Friday', 'Monday']], [['Friday', 'Monday']]),
  changed('the same line in two ways', [['Friday', 'Monday']], [['Friday', 'Tuesday']]),
  changed('two words of one line', [['Ship', 'Launch']], [['Friday', 'Monday']]),
  changed(
    'alike, and one goes on',
    [['one', '1']],
    [
      ['one', '1'],
      ['two', '2'],
    ],
  ),
  changed(
    'alike in one place, apart in another',
    [
      ['one', '1'],
      ['# Plan', '# Our plan'],
    ],
    [
      ['one', '1'],
      ['end', 'start'],
    ],
  ),
  changed('deleted here, changed there', [['- two\n', '']], [['two', '2']]),
  changed('deleted on both sides', [['- two\n', '']], [['- two\n', '']]),
  changed('deleted overlapping', [['- one\n- two\n', '']], [['- two\n- three\n', '']]),
  changed('deleted side by side', [['- one\n', '']], [['- two\n', '']]),
  changed('inserted at one place', [['- two\n', '- two\n- mine\n']], [['- two\n', '- two\n- theirs\n']]),
  changed('inserted alike at one place', [['- two\n', '- two\n- new\n']], [['- two\n', '- two\n- new\n']]),
  changed(
    'inserted before and after one line',
    [['- two\n', '- mine\n- two\n']],
    [['- two\n', '- two\n- theirs\n']],
  ),
  changed(
    'inserted before two lines and after',
    [['- one\n', '- mine\n- one\n']],
    [['- two\n', '- two\n- theirs\n']],
  ),
  changed('a line doubled here, changed there', [['- two\n', '- two\n- two\n']], [['two', '2']]),
  changed('a line doubled on both sides', [['- two\n', '- two\n- two\n']], [['- two\n', '- two\n- two\n']]),
  changed('doubled once and twice', [['- two\n', '- two\n- two\n']], [['- two\n', '- two\n- two\n- two\n']]),
  changed(
    'moved down and up',
    [['- one\n- two\n', '- two\n- one\n']],
    [['- two\n- three\n', '- three\n- two\n']],
  ),
  changed(
    'moved here, changed there',
    [['- one\n- two\n- three\n', '- three\n- one\n- two\n']],
    [['two', '2']],
  ),
  changed(
    'paragraph rewritten here, blank line added there',
    [['Ship on Friday.\nTell everybody.', 'Wait.']],
    [['everybody.\n', 'everybody.\n\n']],
  ),
  changed('blank lines added on both sides', [['# Plan\n', '# Plan\n\n']], [['\n- one', '\n\n- one']]),
  changed('all here, nothing there', [[plan, 'nothing is left\n']], []),
  changed('all here, one word there', [[plan, 'nothing is left\n']], [['Friday', 'Monday']]),
  changed('emptied here, changed there', [[plan, '']], [['Friday', 'Monday']]),
  changed('emptied on both sides', [[plan, '']], [[plan, '']]),
  changed('other line ends here, a word there', [['\n', '\r\n']], [['Friday', 'Monday']]),
  changed(
    'line end taken off here, a word above there',
    [['The end.\n', 'The end.']],
    [['Friday', 'Monday']],
  ),
  changed(
    'line end taken off here, last line changed there',
    [['The end.\n', 'The end.']],
    [['end', 'start']],
  ),
  changed(
    'line end taken off here, a line added there',
    [['The end.\n', 'The end.']],
    [['The end.\n', 'The end.\nNo.\n']],
  ),
  changed(
    'lines added at both ends',
    [['# Plan\n', 'top\n# Plan\n']],
    [['The end.\n', 'The end.\nbottom\n']],
  ),
  changed(
    'added to the end on both sides',
    [['The end.\n', 'The end.\nmine\n']],
    [['The end.\n', 'The end.\ntheirs\n']],
  ),
  { name: 'three empty texts', base: '', mine: '', theirs: '' },
  { name: 'written on both sides where nothing was', base: '', mine: 'a\n', theirs: 'b\n' },
  { name: 'written alike where nothing was', base: '', mine: 'a\n', theirs: 'a\n' },
  { name: 'written on one side where nothing was', base: '', mine: '', theirs: 'a' },
  { name: 'no line end anywhere', base: 'a\nb\nc', mine: 'A\nb\nc', theirs: 'a\nb\nC' },
  { name: 'line end added here and there', base: 'a\nb', mine: 'a\nb\n', theirs: 'a\nb\n' },
  {
    name: 'line end added here, first line changed there',
    base: 'a\nb\nc',
    mine: 'a\nb\nc\n',
    theirs: 'A\nb\nc',
  },
  { name: 'mixed line ends', base: 'a\r\nb\nc\r\n', mine: 'A\r\nb\nc\r\n', theirs: 'a\r\nb\nC\n' },
  { name: 'carriage returns alone end no line', base: 'a\rb\rc\n', mine: 'A\rb\rc\n', theirs: 'a\rb\rC\n' },
  {
    name: 'one repeated line, longer on both sides',
    base: 'x\nx\n',
    mine: 'x\nx\nx\n',
    theirs: 'x\nx\nx\nx\n',
  },
  {
    name: 'one repeated line, longer here, shorter there',
    base: 'x\nx\nx\n',
    mine: 'x\nx\nx\nx\n',
    theirs: 'x\nx\n',
  },
  {
    name: 'a function added before a like one',
    base: 'a {\n}\n\nb {\n}\n',
    mine: 'a {\n}\n\nm {\n}\n\nb {\n}\n',
    theirs: 'a {\n}\n\nb {\n}\n\nt {\n}\n',
  },
];

type Replacement = readonly [text: string, by: string];

function changed(name: string, mine: readonly Replacement[], theirs: readonly Replacement[]): MergeCase {
  const made = (replacements: readonly Replacement[]): string =>
    replacements.reduce((text, [from, to]) => text.replaceAll(from, to), plan);
  return { name, base: plan, mine: made(mine), theirs: made(theirs) };
}
