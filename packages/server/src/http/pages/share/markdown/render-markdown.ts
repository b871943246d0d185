import { judgeDataPicture } from '@stoa/core';
import { readFrontMatter } from '@stoa/core/front-matter';
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { type MarkdownNeighbours, resolveNeighbour } from './resolve-neighbour.ts';

export interface MarkdownText {
  readonly text: string;
  /** The files shared with it; null if it is shared alone and may link only to the web. */
  readonly neighbours: MarkdownNeighbours | null;
}

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
const { validateLink } = markdown;
/** Without this the library leaves an unknown address in the text, even one of megabytes. */
markdown.validateLink = (address) => judgeDataPicture(address) !== null || validateLink(address);

const notShown = {
  too_large: 'embedded pictures above 1 MiB are not shown',
  other: 'only PNG, JPEG, GIF, WebP and AVIF pictures can be embedded',
} as const;

const webAddress = /^(?:https?:\/\/|mailto:)/i;

/** Renders Markdown as HTML that contains only text, its structure, links to the web and pictures of its neighbours. */
export function renderMarkdown({ text, neighbours }: MarkdownText): string {
  // Front matter is for programs. Other text between two rules at the top belongs to the author.
  const body = text.slice(readFrontMatter(text)?.end ?? (text.startsWith('\ufeff') ? 1 : 0));
  return sanitizeHtml(markdown.render(body), {
    allowedTags: [
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'ul', 'ol', 'li', 'pre', 'code', 'hr', 'br'],
      ...['em', 'strong', 's', 'a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span'],
    ],
    allowedAttributes: { a: ['href', 'rel'], img: ['src', 'alt', 'title'], ol: ['start'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, { href = '' }) => {
        const target = webAddress.test(href) ? href : resolveNeighbour(href, neighbours, 'page');
        const attribs: Record<string, string> =
          target === null ? {} : { href: target, rel: 'noopener noreferrer nofollow' };
        return { tagName, attribs };
      },
      img: (_tagName, { src = '', alt = '', title }) => {
        const ofData = judgeDataPicture(src);
        if (ofData === 'too_large' || ofData === 'other') {
          const text = `${alt === '' ? '' : `${alt} `}(${notShown[ofData]})`;
          return { tagName: 'span', attribs: {}, text };
        }
        const source = ofData === 'picture' ? src : resolveNeighbour(src, neighbours, 'content');
        // A picture from the web would reveal the reader to its server.
        if (source === null) return { tagName: 'span', attribs: {}, text: alt };
        return { tagName: 'img', attribs: { src: source, alt, ...(title === undefined ? {} : { title }) } };
      },
    },
  });
}
