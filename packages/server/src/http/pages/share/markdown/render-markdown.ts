import { frontMatterBlock } from '@stoa/core';
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { type MarkdownNeighbours, resolveNeighbour } from './resolve-neighbour.ts';

export interface MarkdownText {
  readonly text: string;
  /** The files shared with it; null when it is shared alone, and leads nowhere but to the web. */
  readonly neighbours: MarkdownNeighbours | null;
}

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

const webAddress = /^(?:https?:\/\/|mailto:)/i;

/** Markdown as HTML that holds nothing but text, its structure, links to the web and pictures of its neighbours. */
export function renderMarkdown({ text, neighbours }: MarkdownText): string {
  // Front matter is for programs.
  const body = text.slice(frontMatterBlock(text)?.end ?? 0);
  return sanitizeHtml(markdown.render(body), {
    allowedTags: [
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'ul', 'ol', 'li', 'pre', 'code', 'hr', 'br'],
      ...['em', 'strong', 's', 'a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span'],
    ],
    allowedAttributes: { a: ['href', 'rel'], img: ['src', 'alt', 'title'], ol: ['start'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, { href = '' }) => {
        const target = webAddress.test(href) ? href : resolveNeighbour(href, neighbours, 'page');
        const attribs: Record<string, string> =
          target === null ? {} : { href: target, rel: 'noopener noreferrer nofollow' };
        return { tagName, attribs };
      },
      img: (_tagName, { src = '', alt = '', title }) => {
        const source = resolveNeighbour(src, neighbours, 'content');
        // A picture from the web would tell its server who reads this.
        if (source === null) return { tagName: 'span', attribs: {}, text: alt };
        return { tagName: 'img', attribs: { src: source, alt, ...(title === undefined ? {} : { title }) } };
      },
    },
  });
}
