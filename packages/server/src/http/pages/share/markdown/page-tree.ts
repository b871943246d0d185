import { judgeDataPicture } from '@stoa/core';
import type { Element, ElementContent, Root } from '@stoa/markdown';
import { type MarkdownNeighbours, resolveNeighbour } from './resolve-neighbour.ts';

type Properties = Element['properties'];

const notShown = {
  too_large: 'embedded pictures above 1 MiB are not shown',
  other: 'only PNG, JPEG, GIF, WebP and AVIF pictures can be embedded',
} as const;

/** The box of a task is named after its text, which contains the texts of all tasks in it. */
const labelMax = 200;

const webAddress = /^(?:https?:\/\/|mailto:)/i;

/** Replaces what a page without scripts shows in another way: addresses, tasks, footnotes and raw HTML. */
export function pageTree(root: Root, neighbours: MarkdownNeighbours | null): Root {
  /** Footnotes with a reference, to which the footnote leads back. */
  const referenced = new Set<number>();
  const footnotes: Element[] = [];

  function pageNodes(nodes: readonly ElementContent[]): ElementContent[] {
    return nodes.map((node) => (node.type === 'element' ? pageElement(node) : node));
  }

  function pageElement({ tagName, properties, children: read }: Element): Element {
    const children = pageNodes(read);
    const { dataFootnote, align, start, type } = properties;
    switch (tagName) {
      case 'a':
        return typeof dataFootnote === 'number'
          ? footnoteLink(dataFootnote, children)
          : element('a', linkProperties(properties), children);
      case 'img':
        return picture(properties, neighbours);
      case 'html':
        return element('pre', {}, children);
      case 'input':
        return element('input', { type, disabled: true, checked: properties.checked }, []);
      case 'li':
        return element('li', {}, labelled(children));
      case 'table':
        // A wide table is scrolled, also by keyboard.
        return element('div', { className: ['scroll'], tabIndex: 0 }, [element('table', {}, children)]);
      default:
        return element(tagName, { align, start }, children);
    }
  }

  function linkProperties({ href, title }: Properties): Properties {
    if (typeof href !== 'string') return {};
    const target = webAddress.test(href) ? href : resolveNeighbour(href, neighbours, 'page');
    return target === null ? {} : { href: target, rel: ['noopener', 'noreferrer', 'nofollow'], title };
  }

  function footnoteLink(number: number, children: ElementContent[]): Element {
    const id = referenced.has(number) ? undefined : referenceId(number);
    referenced.add(number);
    return element('a', { href: `#${footnoteId(number)}`, id, ariaLabel: `Footnote ${number}` }, children);
  }

  const children: Root['children'] = [];
  for (const node of root.children) {
    if (node.type !== 'element') children.push(node);
    else if (node.tagName === 'section') footnotes.push(footnote(node, pageNodes(node.children)));
    else children.push(pageElement(node));
  }
  if (footnotes.length > 0) {
    const list = element('ol', {}, footnotes);
    children.push(element('section', { ariaLabel: 'Footnotes' }, [list]));
  }
  return { type: 'root', children };
}

/** Properties that are undefined do not appear. */
function element(tagName: string, properties: Properties, children: readonly ElementContent[]): Element {
  return { type: 'element', tagName, properties, children: [...children] };
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}

function picture({ src = '', alt = '', title }: Properties, neighbours: MarkdownNeighbours | null): Element {
  const address = String(src);
  const ofData = judgeDataPicture(address);
  if (ofData === 'too_large' || ofData === 'other') {
    return element('span', {}, [text(`${alt === '' ? '' : `${alt} `}(${notShown[ofData]})`)]);
  }
  const source = ofData === 'picture' ? address : resolveNeighbour(address, neighbours, 'content');
  // A picture from the web would reveal the reader to its server.
  return source === null
    ? element('span', {}, [text(String(alt))])
    : element('img', { src: source, alt, title }, []);
}

/** Names the box of a task after its text. */
function labelled(children: readonly ElementContent[]): ElementContent[] {
  const own = children.filter((child) => !(child.type === 'element' && /^[uo]l$/.test(child.tagName)));
  return children.map((child) => {
    if (child.type !== 'element') return child;
    if (child.tagName === 'p') return { ...child, children: named(child.children, child.children) };
    return named([child], own)[0] ?? child;
  });
}

function named(nodes: readonly ElementContent[], task: readonly ElementContent[]): ElementContent[] {
  return nodes.map((node) =>
    node.type === 'element' && node.tagName === 'input'
      ? {
          ...node,
          properties: {
            ...node.properties,
            ariaLabel: task.map(textOf).join('').trim().slice(0, labelMax) || 'Task',
          },
        }
      : node,
  );
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}

function footnote({ properties: { dataFootnote } }: Element, children: readonly ElementContent[]): Element {
  const number = Number(dataFootnote);
  const back = element('a', { href: `#${referenceId(number)}`, ariaLabel: 'Back to the text' }, [text('↩')]);
  const last = children.at(-1);
  const ended =
    last?.type === 'element' && last.tagName === 'p'
      ? [...children.slice(0, -1), element('p', {}, [...last.children, text(' '), back])]
      : [...children, back];
  return element('li', { id: footnoteId(number) }, ended);
}

/** No other element of a page has an id, because those of a file are dropped. */
function footnoteId(number: number): string {
  return `footnote-${number}`;
}

function referenceId(number: number): string {
  return `footnote-${number}-reference`;
}
