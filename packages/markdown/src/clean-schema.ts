import type { Schema } from 'hast-util-sanitize';
import { readingNames } from './tree.ts';

const web = ['http', 'https', 'Http', 'Https', 'HTTP', 'HTTPS'];

/**
 * Allowlist of what may be rendered, with the names in `tree.ts`. `id`, `class` and `style` of a file are dropped; ids
 * of headings are added afterwards, with our prefix.
 */
export const cleanSchema: Schema = {
  tagNames: ['h1', ...readingNames],
  attributes: {
    a: ['href', 'title', 'dataFootnote'],
    code: ['dataLanguage'],
    img: ['src', 'alt', 'title'],
    input: [['type', 'checkbox'], ['disabled', true], 'checked', 'dataCheckAt'],
    ol: ['start'],
    td: [['align', 'left', 'center', 'right']],
    th: [['align', 'left', 'center', 'right']],
  },
  protocols: { href: [...web, 'mailto', 'Mailto', 'MAILTO'], src: [...web, 'data'] },
  ancestors: {},
  clobber: [],
  required: {},
  strip: ['script', 'style'],
  allowComments: false,
  allowDoctypes: false,
};
