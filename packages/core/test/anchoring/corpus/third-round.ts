import { type CorpusCase, change, mark, markPointBefore } from './corpus-case.ts';

/** Written after the code was done. The results of the first run were kept. */
const recipe = `# Lentil soup

Serves four. Takes forty minutes.

## Ingredients

- 250 g red lentils
- 1 onion
- 2 carrots
- 1 l vegetable stock
- 1 tsp cumin

## Method

Chop the onion and the carrots. Fry them in oil until soft, then add the cumin and fry for another minute.

Add the lentils and the stock. Bring to the boil, then simmer for twenty minutes.

Season with salt and lemon juice. Serve with bread.

## Notes

Red lentils fall apart; green ones do not. If you use green lentils, simmer for forty minutes.
`;

const spec = `# Upload API

### Request

\`PUT /files/{path}\` with the bytes as body.

| Header | Required | Meaning |
| --- | --- | --- |
| If-Match | no | The version you have read |
| Content-Type | no | Stored with the file |

### Errors

- 412 when the version is stale
- 413 when the file is too large
- 507 when the quota is reached

### Examples

\`\`\`http
PUT /files/plan.md
If-Match: 3
\`\`\`

The server answers with the new version. Clients MUST keep it.
`;

const swapNotes = change(
  recipe,
  ['Red lentils fall apart; green ones do not. If you use green lentils, simmer for forty minutes.', ''],
  [
    'Serves four.',
    'Red lentils fall apart; green ones do not. If you use green lentils, simmer for forty minutes.\n\nServes four.',
  ],
);

export const thirdRound: readonly CorpusCase[] = [
  {
    name: 'amounts doubled throughout',
    before: mark(recipe, '250 g red lentils'),
    after: mark(
      change(
        recipe,
        ['four', 'eight'],
        ['250 g', '500 g'],
        ['1 onion', '2 onions'],
        ['2 carrots', '4 carrots'],
        ['1 l veg', '2 l veg'],
        ['1 tsp', '2 tsp'],
      ),
      '500 g red lentils',
    ),
    expected: 'anchored',
  },
  {
    name: 'the ingredient removed, the word stays in the method',
    before: mark(recipe, 'cumin', 1),
    after: change(recipe, ['- 1 tsp cumin\n', '']),
    expected: 'outdated',
  },
  {
    name: 'the word removed from the method, the ingredient stays',
    before: mark(recipe, 'cumin', 2),
    after: change(recipe, [', then add the cumin and fry for another minute', '']),
    expected: 'outdated',
  },
  {
    name: 'one of two equal times changed',
    before: mark(recipe, 'forty minutes', 2),
    after: mark(change(recipe, ['Takes forty', 'Takes fifty']), 'forty minutes'),
    expected: 'anchored',
  },
  {
    name: 'ingredients sorted alphabetically',
    before: mark(recipe, '2 carrots'),
    after: mark(
      change(recipe, [
        '- 250 g red lentils\n- 1 onion\n- 2 carrots\n- 1 l vegetable stock\n- 1 tsp cumin',
        '- 2 carrots\n- 1 tsp cumin\n- 250 g red lentils\n- 1 onion\n- 1 l vegetable stock',
      ]),
      '2 carrots',
    ),
    expected: 'anchored',
  },
  {
    name: 'method turned into numbered steps',
    before: mark(recipe, 'Bring to the boil, then simmer for twenty minutes.'),
    after: mark(
      change(
        recipe,
        ['Chop the onion and the carrots. Fry', '1. Chop the onion and the carrots.\n2. Fry'],
        ['\n\nAdd the lentils and the stock. Bring', '\n3. Add the lentils and the stock.\n4. Bring'],
        ['\n\nSeason', '\n5. Season'],
      ),
      'Bring to the boil, then simmer for twenty minutes.',
    ),
    expected: 'anchored',
  },
  {
    name: 'the notes moved to the top',
    before: mark(recipe, 'green ones do not'),
    after: mark(swapNotes, 'green ones do not'),
    expected: 'anchored',
  },
  {
    name: 'a vague time made exact',
    before: mark(recipe, 'until soft'),
    after: change(recipe, ['until soft', 'for eight minutes']),
    expected: 'outdated',
  },
  {
    name: 'an error code renumbered',
    before: mark(spec, '413 when the file is too large'),
    after: mark(change(spec, ['413 when', '422 when']), '422 when the file is too large'),
    expected: 'anchored',
  },
  {
    name: 'a header row added above the quoted one',
    before: mark(spec, '| Content-Type | no |'),
    after: mark(
      change(spec, ['| Content-Type', '| If-None-Match | no | Only when absent |\n| Content-Type']),
      '| Content-Type | no |',
    ),
    expected: 'anchored',
  },
  {
    name: 'a table cell quoted, the same word in the row above changed',
    before: mark(spec, 'no', 2),
    after: mark(change(spec, ['If-Match | no', 'If-Match | yes']), 'no'),
    expected: 'anchored',
  },
  {
    name: 'the example replaced by another',
    before: mark(spec, 'PUT /files/plan.md\nIf-Match: 3'),
    after: change(spec, ['PUT /files/plan.md\nIf-Match: 3', 'curl --upload-file notes.txt']),
    expected: 'outdated',
  },
  {
    name: 'MUST softened to should',
    before: mark(spec, 'Clients MUST keep it.'),
    after: mark(
      change(spec, ['Clients MUST keep it.', 'Clients should keep it.']),
      'Clients should keep it.',
    ),
    expected: 'anchored',
  },
  {
    name: 'headings renamed and a level deeper, the text under them kept',
    before: mark(spec, 'The server answers with the new version.'),
    after: mark(
      change(
        spec,
        ['### Request', '## How to ask'],
        ['### Errors', '## What can go wrong'],
        ['### Examples', '## For example'],
      ),
      'The server answers with the new version.',
    ),
    expected: 'anchored',
  },
  {
    name: 'a point after an ingredient, the next one renamed',
    before: markPointBefore(recipe, '- 2 carrots'),
    after: markPointBefore(change(recipe, ['2 carrots', '3 carrots']), '- 3 carrots'),
    expected: 'anchored',
  },
  {
    name: 'the file split: the method went to another file',
    before: mark(recipe, 'Fry them in oil'),
    after: recipe.slice(0, recipe.indexOf('## Method')),
    expected: 'outdated',
  },
];
