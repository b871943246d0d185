import type { Schema } from 'hast-util-sanitize';
import { readingNames } from './tree.ts';

/**
 * What may be drawn: an allowlist, the same names that `tree.ts` knows. No `id`, `class` or `style` comes from a file;
 * ids of headings are made afterwards, with a prefix of ours.
 */
export const cleanSchema: Schema = {
  tagNames: [...readingNames],
  attributes: {
    a: ['href', 'title', 'dataFootnote'],
    code: ['dataLanguage'],
    img: ['src', 'alt', 'title'],
    input: [['type', 'checkbox'], 'checked', 'dataCheckAt'],
    ol: ['start'],
    td: [['align', 'left', 'center', 'right']],
    th: [['align', 'left', 'center', 'right']],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
  ancestors: {},
  clobber: [],
  required: {},
  strip: ['script', 'style'],
  allowComments: false,
  allowDoctypes: false,
};
