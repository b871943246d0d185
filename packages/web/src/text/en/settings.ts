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
  iconImageDescription: 'PNG, JPEG, GIF or WebP, up to 1 MB.',
  iconTooLarge: 'This picture is larger than 1 MB. Choose a smaller one.',
  removeIcon: 'Remove icon',
  noIcon: 'There is no icon to remove.',
  save: 'Save',
  download: 'Download workspace',
  downloadDescription: 'All files that you can see, as a zip.',
  export: 'Export everything',
  exportDescription:
    'Everything, with history and comments, to move to another Stoa. Not possible while members have private items. It includes the e-mail addresses of members.',
  theme: 'Theme',
  themes: themeNames,
  themeDescription: 'Default for members who haven’t picked a theme.',
  themeCss: 'Theme CSS',
  themeCssDescription:
    'Styles for the text of files, for elements below .stoa-content: colours, spacing and type. URLs, imports and anything that could leave the page are removed.',
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
