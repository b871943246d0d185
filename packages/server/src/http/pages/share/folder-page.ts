import { fileNameOf, sizeText } from '@stoa/core';
import type { SharedFolder } from '../../../service/shares/list-shared-folder.ts';
import { escapeHtml } from '../shell/escape-html.ts';
import { pageShell } from '../shell/page-shell.ts';
import { visibleName, visibleText } from '../shell/visible-name.ts';
import { appLink } from './app-link.ts';
import type { ShareLinks } from './share-links.ts';

export interface ShownFolder {
  readonly path: string;
  /** Relative to the shared folder, and empty for that folder itself. */
  readonly below: string;
  /** The folder's address in the app; null if the visitor is not signed in. */
  readonly inApp: string | null;
}

export function folderPage(
  { path, below, inApp }: ShownFolder,
  { folders, files, isCut }: SharedFolder,
  links: ShareLinks,
): string {
  const name = fileNameOf(path);
  const inside = (entry: string) => escapeHtml(links.page(below === '' ? entry : `${below}/${entry}`));
  const entries = [
    ...folders.map((folder) => `<li><a href="${inside(folder)}">${visibleName(folder)}/</a></li>`),
    ...files.map(
      (file) =>
        `<li><a href="${inside(file.name)}">${visibleName(file.name)}</a><span class="quiet">${sizeText(file.sizeBytes)}</span></li>`,
    ),
  ];
  const rest = isCut ? '<p class="quiet">There is more here than this page shows.</p>' : '';
  return pageShell(
    'content',
    visibleText(name),
    `<header><h1>${visibleName(name)}/</h1>${appLink(inApp)}</header>\n<main><ul class="entries">\n${entries.join('\n')}\n</ul>${rest}</main>`,
  );
}
