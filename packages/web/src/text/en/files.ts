import { numberText, sizeText } from '@stoa/core';
import { counted } from '../plurals.ts';

/** Folders and files as things: the list, the tree, their menus, dialogs and notices. */
export const files = {
  // The page
  contentsOf: (name: string) => `Contents of ${name}`,
  tree: 'Files',
  view: 'View',
  viewList: 'List',
  viewCalendar: 'Calendar',
  sort: 'Sort',
  sortChoices: { name: 'Name', size: 'Size', changed: 'Changed', custom: 'Custom order' },
  columnName: 'Name',
  columnChanged: 'Changed',
  columnSize: 'Size',
  columnActions: 'Actions',
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all',
  actionsFor: (name: string) => `Actions for ${name}`,
  empty: 'This folder is empty.',
  couldNotBeLoaded: 'The list of files',

  // States, as descriptions
  private: 'Private',
  conflictedCopy: 'Conflicted copy',
  forAgents: 'For agents',
  privateWith: (folder: string) => `Private with ${folder}`,

  // Commands, in menus, buttons, palette and confirmations alike
  new: 'New',
  newFile: 'New file',
  newFolder: 'New folder',
  uploadFiles: 'Upload files',
  uploadFolder: 'Upload folder',
  newFileHere: 'New file here',
  newFolderHere: 'New folder here',
  uploadFilesHere: 'Upload files here',
  open: 'Open',
  edit: 'Edit',
  rename: 'Rename',
  move: 'Move',
  setIcon: 'Set icon',
  share: 'Share',
  history: 'History',
  info: 'Info',
  copyLink: 'Copy link',
  copyPath: 'Copy path',
  copyMarkdown: 'Copy as Markdown',
  copyPrompt: 'Copy prompt for an agent',
  download: 'Download',
  moveUp: 'Move up',
  moveDown: 'Move down',
  changeDate: 'Change date',
  delete: 'Delete',
  makePrivate: 'Make private',
  clearSelection: 'Clear selection',
  goUp: 'Folder above',

  // Selection
  selection: 'Selection',
  selected: (count: number) => `${numberText(count)} selected`,

  // Why something cannot be done
  tooManyToOrder: 'Only folders with up to 1,000 items can be ordered by hand.',
  copyStandsBehind: 'A conflicted copy stands behind its original.',
  alreadyFirst: 'It is the first already.',
  alreadyLast: 'It is the last already.',
  onlyFilesDownload: 'Only files can be downloaded.',

  // Dialogs
  name: 'Name',
  create: 'Create',
  cancel: 'Cancel',
  newFileName: 'untitled.md',
  renameTitle: (name: string) => `Rename ${name}`,
  newName: 'New name',
  moveTitle: (name: string) => `Move ${name}`,
  moveManyTitle: (count: number) => `Move ${counted(count, 'item', 'items')}`,
  findFolder: 'Find a folder',
  folders: 'Folders',
  topOf: (workspace: string) => `Top of ${workspace}`,
  newFolderOption: (path: string) => `New folder ${path}`,
  moveHere: 'Move here',
  noFolder: 'No folder has such a name.',
  alreadyThere: (count: number) => (count === 1 ? 'It is there already.' : 'They are there already.'),
  taken: (name: string) => `There is already something called ${name} here.`,
  unusableName: (reason: string) => `This name cannot be used: ${reason}`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteManyTitle: (count: number) => `Delete ${counted(count, 'item', 'items')}?`,
  deleteText: (count: number) => `${counted(count, 'file', 'files')} will be deleted.`,
  deleteTextReadOnly: (count: number) =>
    `${counted(count, 'file', 'files')} will be deleted. This workspace is read-only: it cannot be undone here.`,
  iconTitle: (name: string) => `Icon for ${name}`,
  iconField: 'Emoji or icon name',
  icons: 'Icons',
  removeIcon: 'Remove icon',
  noIcon: 'There is no icon to remove.',
  unusableIcon: 'Type one emoji, or the name of an icon: letters, digits and hyphens.',
  privateTitle: (name: string) => `Make ${name} private?`,
  privateText: (links: number) => `${counted(links, 'link', 'links')} to it will end.`,

  // Notices
  deleted: (what: string) => `Deleted ${what}.`,
  items: (count: number) => counted(count, 'item', 'items'),
  changedSince: (name: string) => `${name} has changed since you looked. It was not deleted.`,
  manyChangedSince: (count: number) =>
    `${counted(count, 'file has', 'files have')} changed since you looked. They were not deleted.`,
  deleteAnyway: 'Delete anyway',
  gone: (names: readonly string[]) =>
    names.length === 1
      ? `${names[0]} is not there any more.`
      : `${counted(names.length, 'file is', 'files are')} not there any more.`,
  renamed: (name: string) => `Renamed to ${name}.`,
  moved: (what: string, folder: string) => `Moved ${what} to ${folder}.`,
  placed: (name: string, place: number, count: number) =>
    `${name} is now number ${numberText(place)} of ${numberText(count)}.`,
  doing: {
    moving: (what: string) => `Moving ${what}`,
    renaming: (what: string) => `Renaming ${what}`,
    deleting: (what: string) => `Deleting ${what}`,
    restoring: (what: string) => `Restoring ${what}`,
    makingPrivate: (what: string) => `Making ${what} private`,
    sharing: (what: string) => `Sharing ${what} with members again`,
    settingIcon: 'Setting the icon',
    ordering: 'Changing the order',
    copying: 'Copying',
  },
  progress: (doing: string, done: number, total: number) =>
    `${doing}: ${numberText(done)} of ${numberText(total)}`,
  stop: 'Stop',
  movedSome: (done: number, total: number) =>
    `Moved ${numberText(done)} of ${counted(total, 'file', 'files')}.`,
  deletedSome: (done: number, total: number) =>
    `Deleted ${numberText(done)} of ${counted(total, 'file', 'files')}.`,
  restoredSome: (done: number, total: number) =>
    `Restored ${numberText(done)} of ${counted(total, 'file', 'files')}.`,
  leftOver: (names: readonly string[], more: number) =>
    more === 0 ? `Left: ${names.join(', ')}` : `Left: ${names.join(', ')} and ${numberText(more)} more`,
  moveRest: 'Move the rest',
  moveBack: 'Move back',
  deleteRest: 'Delete the rest',
  restoreRest: 'Restore the rest',
  noAnswer: 'The server did not answer.',
  workspaceFull: 'The workspace is full.',
  somebodyWasFaster: 'Somebody else saved it at the same time.',
  belongingsStayed: (folder: string) =>
    `The icon, order, privacy and links of ${folder} could not be moved along.`,

  // Uploads
  uploads: 'Uploads',
  uploadedOf: (done: number, total: number) => `${numberText(done)} of ${numberText(total)} uploaded`,
  close: 'Close',
  cancelUpload: (name: string) => `Cancel ${name}`,
  retryUpload: (name: string) => `Retry ${name}`,
  uploadDone: 'Done',
  uploadSame: 'Already there',
  uploadCancelled: 'Cancelled',
  uploadWaiting: 'Waiting',
  moreUploads: (count: number) => `${counted(count, 'more file', 'more files')}`,
  emptyFile: 'A file cannot be empty',
  largerThan: (bytes: number) => `Larger than ${sizeText(bytes)}`,
  noRoom: 'The workspace is full',
  tooManyUploads: (max: number) => `At most ${numberText(max)} files can be uploaded at once.`,
  uploaded: (name: string) => `Uploaded ${name}.`,
  uploadedMany: (count: number) => `Uploaded ${counted(count, 'file', 'files')}.`,
  wasThere: (name: string) => `${name} was already there.`,
  wereThere: (count: number) => `${counted(count, 'file was', 'files were')} already there.`,
  uploadName: (name: string, reason: string) =>
    `${name} was not uploaded. Its name cannot be used here: ${reason}`,
  alreadyHere: (name: string) => `${name} is already here`,
  existing: 'Existing',
  incoming: 'New',
  skip: 'Skip',
  keepBoth: 'Keep both',
  replace: 'Replace',
  forTheOthers: (count: number) => `Do this for the other ${numberText(count)}`,

  prompt: (workspace: string, id: string, path: string) =>
    `In the Stoa workspace “${workspace}” (id ${id}): read AGENTS.md, then ${path}.`,
} as const;
