/** 784 words, each of two halves, so that words recur about as often as in prose. */
const halves = [
  'bar',
  'cen',
  'dor',
  'el',
  'fin',
  'gar',
  'har',
  'in',
  'jun',
  'kel',
  'lan',
  'mer',
  'nor',
  'ost',
  'par',
  'quin',
  'ron',
  'sel',
  'tam',
  'ul',
  'ver',
  'win',
  'yar',
  'zen',
  'bri',
  'cle',
  'dra',
  'flo',
];
const lineWords = 12;
/** One of this many paragraphs has other words at a time, another one after each edit. */
const editedEvery = 10;

/** Returns a long Markdown page after this many edits, with about 200 bytes per paragraph. */
export function commentedPage(paragraphs: number, edits: number): string {
  const lines = ['# Minutes', '', `Edited ${edits} times.${' Moved on a little.'.repeat(edits % 8)}`, ''];
  for (let paragraph = 0; paragraph < paragraphs; paragraph += 1) {
    lines.push(`${textLine(paragraph, 0)} ${commentedLine(paragraph, edits)}`, '');
  }
  return lines.join('\n');
}

/**
 * Returns the quote of a thread in a paragraph, which is unique. At any number of edits, one quote in ten differs by a
 * word from its usual text, so that the first edit and the last cost the same.
 */
export function commentedLine(paragraph: number, edits: number): string {
  const isReworded = paragraph % editedEvery === edits % editedEvery;
  return `On item ${paragraph} the ${word(paragraph, isReworded ? 1 : 0)} stays: ${textLine(paragraph, 1)}`;
}

function textLine(paragraph: number, number: number): string {
  const drawn = Array.from({ length: lineWords }, (_, at) => word(paragraph * 2 + number, at * at + at));
  return `${drawn.join(' ')}.`;
}

function word(seed: number, at: number): string {
  const scattered = Math.imul(seed * 31 + at + 1, 0x9e3779b1) >>> 8;
  return half(scattered) + half(Math.floor(scattered / halves.length));
}

function half(number: number): string {
  const drawn = halves[number % halves.length];
  if (drawn === undefined) throw new Error('no halves');
  return drawn;
}
