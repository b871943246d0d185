import { numberText, sizeText } from '@stoa/core';
import { counted } from '../plurals.ts';

/** Texts of files and folders: the list, the tree, their menus, dialogs and notices. */
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
  goUp: 'Parent folder',

  // Selection
  selection: 'Selection',
  selected: (count: number) => `${numberText(count)} selected`,

  // Why something cannot be done
  tooManyToOrder: 'Only folders with up to 1,000 items can be ordered by hand.',
  copyStandsBehind: 'A conflicted copy is listed after its original.',
  alreadyFirst: 'Already first.',
  alreadyLast: 'Already last.',
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
  topOf: (workspace: string) => `${workspace} (top level)`,
  newFolderOption: (path: string) => `New folder ${path}`,
  moveHere: 'Move here',
  noFolder: 'No folders match.',
  alreadyThere: 'Already there.',
  taken: (name: string) => `“${name}” already exists here.`,
  unusableName: (reason: string) => `This name cannot be used: ${reason}`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteManyTitle: (count: number) => `Delete ${counted(count, 'item', 'items')}?`,
  deleteText: (count: number) => `${counted(count, 'file', 'files')} will be deleted.`,
  deleteTextReadOnly: (count: number) =>
    `${counted(count, 'file', 'files')} will be deleted. This workspace is read-only, so you cannot undo this.`,
  iconTitle: (name: string) => `Icon for ${name}`,
  iconField: 'Emoji or icon name',
  icons: 'Icons',
  removeIcon: 'Remove icon',
  noIcon: 'There is no icon to remove.',
  unusableIcon: 'Enter one emoji, or an icon name of letters, digits and hyphens.',
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
      ? `${names[0]} no longer exists.`
      : `${counted(names.length, 'file', 'files')} no longer exist.`,
  renamed: (name: string) => `Renamed to ${name}.`,
  moved: (what: string, folder: string) => `Moved ${what} to ${folder}.`,
  placed: (name: string, location: number, count: number) =>
    `${name} is now number ${numberText(location)} of ${numberText(count)}.`,
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
  progress: (operation: string, done: number, total: number) =>
    `${operation}: ${numberText(done)} of ${numberText(total)}`,
  stop: 'Stop',
  movedSome: (done: number, total: number) =>
    `Moved ${numberText(done)} of ${counted(total, 'file', 'files')}.`,
  deletedSome: (done: number, total: number) =>
    `Deleted ${numberText(done)} of ${counted(total, 'file', 'files')}.`,
  restoredSome: (done: number, total: number) =>
    `Restored ${numberText(done)} of ${counted(total, 'file', 'files')}.`,
  leftOver: (names: readonly string[], more: number) =>
    more === 0
      ? `Not done: ${names.join(', ')}`
      : `Not done: ${names.join(', ')} and ${numberText(more)} more`,
  moveRest: 'Move the rest',
  moveBack: 'Move back',
  deleteRest: 'Delete the rest',
  restoreRest: 'Restore the rest',
  noResponse: 'The server did not respond.',
  workspaceFull: 'The workspace is full.',
  savedByOthers: 'Someone else saved it at the same time.',
  belongingsStayed: (folder: string) =>
    `The icon, order, privacy and links of ${folder} could not be moved with it.`,

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
  unreadable: (reason: string) => `Could not be read on this device: ${reason}`,
  tooDeep: (levels: number) => `More than ${levels} folders deep`,
  largerThan: (bytes: number) => `Larger than ${sizeText(bytes)}`,
  noRoom: 'The workspace is full',
  tooManyUploads: (max: number) => `At most ${numberText(max)} files can be uploaded at once.`,
  uploaded: (name: string) => `Uploaded ${name}.`,
  uploadedMany: (count: number) => `Uploaded ${counted(count, 'file', 'files')}.`,
  wasThere: (name: string) => `${name} was already there.`,
  wereThere: (count: number) => `${counted(count, 'file was', 'files were')} already there.`,
  uploadName: (reason: string) => `Its name cannot be used here: ${reason}`,
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
