import { due } from './requirement.ts';

export const workspaces = due('workspaces', {
  'workspaces.create': 'A new workspace returns its fields and the role of its maker: owner.',
  'workspaces.create-fields': 'Icon and color can be given at creation.',
  'workspaces.create-session-only': 'Creating and listing workspaces takes a session.',
  'workspaces.create-malformed': 'A workspace without a name, or with an unknown color, is 400.',
  'workspaces.list': "A person's workspaces are listed, and no others.",
  'workspaces.get': 'A workspace has id, name, icon, color, theme and themeCss.',
  'workspaces.patch': 'Name, icon, color, theme and themeCss can be changed, one by one.',
  'workspaces.patch-clear': 'An empty text or null clears icon, color, theme and themeCss.',
  'workspaces.patch-name': 'A name has 1 to 100 characters.',
  'workspaces.name-visible':
    'Names of workspaces and keys follow one rule: trimmed, not blank, without marks that reverse text.',
  'workspaces.patch-colors': 'Each of the eight colors is accepted and no other.',
  'workspaces.patch-themes': 'Each of the seven themes is accepted and no other.',
  'workspaces.patch-key': 'A key can change a workspace.',
  'workspaces.theme-css':
    'Custom CSS of up to 64 KiB is kept without what could load or break out; more is 400.',
  'workspaces.theme-css-unreadable': 'Custom CSS that cannot be read is 400.',
  'workspaces.any-member': 'Any member changes the settings of a workspace.',
  'workspaces.seeded': 'A new workspace has a README.md and an AGENTS.md, unless the server disables it.',
  'workspaces.allowance': "A workspace beyond the plan's allowance is 402 with the numbers.",
  'workspaces.usage': 'Usage has bytes and files, used, limit and remaining.',
  'workspaces.usage-unlimited': 'Without a limit, limit and remaining are null.',
  'workspaces.usage-warning': 'The warning is true from 90 % of the file limit.',
  'workspaces.usage-extra': 'Usage has the largest file size, share views and billing.',
  'workspaces.usage-exact': 'Usage counts current versions only, copies included.',
  'workspaces.members': 'Members have id, name, image and role, and no address.',
  'workspaces.lapsed-writes': 'In a lapsed workspace writes and restores are 402 with one flat field.',
  'workspaces.lapsed-rest': 'In a lapsed workspace reads, moves and deletes still work.',
  'workspaces.lapsed-usage': 'Usage says whether billing is active or lapsed.',
  'workspaces.renewed': 'A renewed workspace takes writes again.',
});

export const nodes = due('workspaces', {
  'nodes.icon': 'A file or folder can have an icon, which the listing shows.',
  'nodes.icon-answer': 'Setting an icon returns ok, path and icon.',
  'nodes.icon-clear': 'An empty icon clears it.',
  'nodes.icon-limit': 'An icon has at most 64 characters.',
  'nodes.icon-absent': 'An icon for a missing item is 404.',
  'nodes.order': 'The order of siblings can be set, and the listing shows it.',
  'nodes.order-answer': 'Setting an order returns ok and the orders.',
  'nodes.order-limit': 'An order names at most 1000 paths.',
  'nodes.order-absent': 'Missing paths are skipped.',
  'nodes.malformed': 'An icon or order without its fields is 400.',
});

export const account = due('account', {
  'account.health': 'Health returns ok and the time, without a credential.',
  'account.plans': 'Plans are public, and not available on a server without billing.',
  'account.sign-up':
    'Any caller can read who may sign up (the first person, anyone, invited people, or none) and the address of the app.',
  'account.me': 'A caller can ask who it is, by key and by session.',
  'account.workspace': 'A scoped key gets its own workspace.',
  'account.workspace-oldest': "Other callers get their oldest workspace's id and name.",
  'account.workspace-none': 'A caller without a workspace gets 404.',
});

export const workspaceIcons = due('workspaces', {
  'workspaces.icon-upload': 'An image of up to 1 MiB can be the icon: PNG, JPEG, GIF or WebP by its bytes.',
  'workspaces.icon-upload-limit': 'A larger image is 413, another kind 400.',
  'workspaces.icon-served': 'An uploaded icon is read at its address, by members, as an inert image.',
  'workspaces.icon-replaced': 'An uploaded icon is gone when the icon is something else.',
  'workspaces.icon-address': 'An address, or an image that does not exist, is rejected as an icon.',
});

export const workspaceDownload = due('workspaces', {
  'workspaces.download':
    'A workspace is downloaded as a zip: the current files that the caller may see, under their paths.',
  'workspaces.download-names': 'A name that is invalid on some system is written with %XX in the zip.',
  'workspaces.export':
    'An owner who is signed in takes the whole workspace as a tar: current files, all versions, the feed.',
  'workspaces.export-owners': 'Only an owner exports a workspace: no admin, no member, no key.',
  'workspaces.export-private': 'A workspace in which others have or had private items cannot be exported.',
});

export const nodesOfPrivacy = due('workspaces', {
  'nodes.private-hidden': "Icons and orders of another member's private items are not shown.",
});
