import { numberText } from '@stoa/core';
import { counted } from '../plurals.ts';
import { themeNames } from './themes.ts';

/** Texts of a workspace's settings. */
export const settings = {
  navigation: 'Settings',
  general: 'General',
  appearance: 'Appearance',
  members: 'Members',
  links: 'Links',
  usage: 'Usage',
  audit: 'Audit log',
  what: 'The settings',
  name: 'Name',
  icon: 'Emoji or icon name',
  iconDescription: 'An emoji, or the name of an icon, such as rocket.',
  iconImage: 'Icon image',
  iconImageDescription: 'PNG, JPEG, GIF or WebP of at most 1 MiB. It is sent when you choose it.',
  iconTooLarge: 'This picture is larger than 1 MiB. Choose a smaller one.',
  removeIcon: 'Remove icon',
  noIcon: 'There is no icon to remove.',
  save: 'Save',
  download: 'Download workspace',
  downloadDescription: 'All files that you can see, as a zip.',
  export: 'Export everything',
  exportDescription:
    'Files with their history, comments, settings and the e-mail addresses of members, as a tar from which another Stoa makes this workspace again. When other members have or had private items, the server refuses: ask whoever runs it.',
  theme: 'Theme',
  themes: themeNames,
  themeDescription: 'For everybody here who has not chosen a theme of their own.',
  themeCss: 'Theme CSS',
  themeCssDescription:
    'Rules for the text of files: selectors of elements below .stoa-content, colours, spacing and type. Addresses, imports and anything that could leave the page are taken out.',
  preview: 'Preview',
  removeThemeCss: 'Remove theme CSS',
  noThemeCss: 'There is no theme CSS to remove.',
  openWithout: 'Open without theme CSS',
  sample: {
    heading: 'A heading',
    text: 'A paragraph of a note, with',
    link: 'a link',
    item: 'An item of a list',
    quote: 'A quotation.',
  },
  cleaned: 'Some rules were left out: see the text as it was kept.',
  usagePage: {
    storage: 'Storage',
    files: 'Files',
    storageText: (used: string, limit: string) => `${used} of ${limit} used`,
    storageUnlimited: (used: string) => `${used} used`,
    filesText: (used: number, limit: number) =>
      `${numberText(used)} of ${counted(limit, 'file', 'files')} used`,
    filesUnlimited: (used: number) => counted(used, 'file used', 'files used'),
    largestAllowed: 'Largest file allowed',
    views: 'Views of shared pages',
    plan: 'Plan',
    largestFiles: 'Largest files',
    columnPath: 'Path',
    columnSize: 'Size',
    noFiles: 'There are no files yet.',
  },
} as const;
