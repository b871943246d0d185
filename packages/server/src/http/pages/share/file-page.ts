import { fileNameOf } from '@stoa/core';
import type { ReadableFile } from '../../../service/files/read-file.ts';
import { escapeHtml } from '../shell/escape-html.ts';
import { pageShell } from '../shell/page-shell.ts';
import { visibleName, visibleText } from '../shell/visible-name.ts';
import { appLink } from './app-link.ts';
import { type FileView, fileView } from './file-view.ts';
import type { MarkdownRenderer } from './markdown/markdown-renderer.ts';
import { readShownText } from './read-shown-text.ts';
import type { ShareLinks } from './share-links.ts';

export interface ShownFile {
  readonly shareId: string;
  readonly makerId: string;
  readonly readable: ReadableFile;
  readonly below: string;
  readonly links: ShareLinks;
  /** The file's address in the app; null if the visitor is not signed in. */
  readonly inApp: string | null;
  readonly allowScripts: boolean;
  /** Whether it is shared with other files that it may refer to. */
  readonly hasNeighbours: boolean;
}

export async function filePage(markdown: MarkdownRenderer, shown: ShownFile): Promise<string> {
  const { file } = shown.readable;
  const name = fileNameOf(file.path);
  const download = escapeHtml(shown.links.download(shown.below));
  const head = `<header><h1>${visibleName(name)}</h1><a href="${download}">Download</a>${appLink(shown.inApp)}</header>`;
  return pageShell(
    'content',
    visibleText(name),
    `${head}\n<main>${await contentOf(markdown, shown, fileView(file))}</main>`,
  );
}

async function contentOf(markdown: MarkdownRenderer, shown: ShownFile, view: FileView): Promise<string> {
  const { readable, below, links } = shown;
  const source = escapeHtml(links.content(below));
  switch (view) {
    case 'image':
      return `<img src="${source}" alt="${visibleText(fileNameOf(readable.file.path))}">`;
    case 'audio':
      return `<audio controls src="${source}"></audio>`;
    case 'video':
      return `<video controls src="${source}"></video>`;
    case 'html': {
      // Never `allow-same-origin`: the frame would have this origin and the visitor's session.
      const sandbox = shown.allowScripts ? 'allow-scripts' : '';
      const framed = escapeHtml(links.framed(below));
      return `<iframe sandbox="${sandbox}" referrerpolicy="no-referrer" src="${framed}"></iframe>`;
    }
    case 'markdown':
    case 'text': {
      const text = await readShownText(readable);
      if (text === null) return notShown;
      if (view === 'text') return plain(text);
      const { workspaceId, contentHash } = readable.file;
      const html = await markdown.render({
        makerId: shown.makerId,
        workspaceId,
        shareId: shown.shareId,
        contentHash,
        text,
        neighbours: shown.hasNeighbours
          ? { below, pageBase: links.page(''), contentBase: links.content('') }
          : null,
      });
      return html ?? plain(text);
    }
    case 'download':
      return notShown;
  }
}

const notShown = '<p class="quiet">No preview for this kind of file. Download it instead.</p>';

function plain(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}
