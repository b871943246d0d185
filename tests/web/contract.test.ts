import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { fillWorkspace, locations } from '../../demo/fill-workspace.ts';
import { signInOnPage } from './support/accounts.ts';
import { goTo } from './support/go-to.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

/** `role: one · other`: required controls by exact name. The role `text` means a text, `label` a field. */
type Names = readonly string[];

interface CheckedPage {
  readonly path: string;
  /** A sign that the new page is shown, where the previous page also has the first button to press. */
  readonly shows?: (page: Page) => Locator;
  /** Controls to press first: names of buttons, and of menu items behind `>`. */
  readonly press?: readonly string[];
  /** Text to type into the focused field after that. */
  readonly type?: string;
  /** The part of the page with the names; by default the whole page. */
  readonly within?: (page: Page) => Locator;
  readonly names: Names;
}

const rows: readonly CheckedPage[] = [
  {
    path: '',
    names: [
      'link: Skip to content · Harbour House · Activity · Conflicts (1) · Settings · Open README.md · plans',
      'navigation: Workspace · Breadcrumbs',
      'region: Notifications',
      'button: Workspace Harbour House · Find · Account · New · Actions for plans',
      'status: Connection',
      'tree: Files',
      'treeitem: README.md · plans',
      'heading: Harbour House',
      'radiogroup: View',
      'radio: List · Calendar',
      'combobox: Sort',
      'option: Name · Size · Changed · Custom order',
      'grid: Contents of Harbour House',
      'columnheader: Name · Changed · Size',
      'row: README.md · plans · notes',
      'checkbox: Select all · Select README.md',
      'article: README.md',
    ],
  },
  {
    path: '',
    press: ['Workspace Harbour House'],
    names: ['menuitemradio: Harbour House', 'menuitem: New workspace · Workspace settings'],
  },
  {
    path: '',
    press: ['Workspace Harbour House', '>New workspace'],
    within: (page) => page.getByRole('dialog', { name: 'New workspace' }),
    names: ['label: Name', 'radiogroup: Colour', 'button: Create workspace · Cancel'],
  },
  {
    path: '',
    press: ['Account'],
    names: ['menuitem: Profile · API keys · Link a device · Keyboard shortcuts · Sign out'],
  },
  {
    path: '',
    press: ['New'],
    names: ['menuitem: New file · New folder · Upload files · Upload folder'],
  },
  {
    path: '/d/plans',
    press: ['Actions for opening-day.md'],
    within: (page) => page.getByRole('menu', { name: 'Actions for opening-day.md' }),
    names: [
      'menuitem: Open · Edit · Rename · Move · Set icon · Share · History · Copy link · Copy path · Copy as Markdown',
      'menuitem: Copy prompt for an agent · Download · Move up · Move down · Delete',
      'menuitemcheckbox: Private',
    ],
  },
  {
    path: '/d/plans',
    press: ['Find'],
    type: '>',
    within: (page) => page.getByRole('listbox', { name: 'Commands' }),
    names: [
      'option: New file · New folder · Upload files · Upload folder · New workspace · Settings · Workspace home',
      'option: Rename · Move · Set icon · Private · Share · Copy link · Copy path · Move up · Delete',
      'option: Profile · API keys · Link a device · Keyboard shortcuts · Sign out',
    ],
  },
  {
    path: `/f/${locations.plan}`,
    // The palette offers what could be done when it was opened.
    shows: (page) => page.getByRole('article', { name: 'opening-day.md' }).getByRole('table').first(),
    press: ['Find'],
    type: '>',
    within: (page) => page.getByRole('listbox', { name: 'Commands' }),
    names: [
      'option: Edit · Rename · Move · Set icon · Private · Share · History · Copy link · Copy path · Delete',
      'option: Copy as Markdown · Copy prompt for an agent · Download · Comments · Info · Who wrote what',
    ],
  },
  {
    path: '/f/notes/first-week.md?panel=comments',
    within: (page) => page.getByRole('complementary', { name: 'Comments' }),
    names: [
      'tab: Open (0) · Resolved (0)',
      'combobox: Order · Show',
      'list: Comments',
      'text: No comments. Select some text to begin.',
    ],
  },
  {
    path: '',
    press: ['Actions for plans'],
    within: (page) => page.getByRole('menu', { name: 'Actions for plans' }),
    names: [
      'menuitem: Open · New file here · New folder here · Upload files here · Rename · Move · Set icon · Share',
      'menuitem: Copy link · Copy path · Move up · Move down · Delete',
      'menuitemcheckbox: Private',
    ],
  },
  {
    path: '/d/plans',
    press: ['Actions for opening-day.md', '>Move'],
    within: (page) => page.getByRole('dialog', { name: 'Move opening-day.md' }),
    names: [
      'combobox: Find a folder',
      'listbox: Folders',
      'option: Harbour House (top level) · notes',
      'button: Move here · Cancel',
    ],
  },
  {
    path: '',
    press: ['Actions for README.md', '>Move'],
    within: (page) => page.getByRole('dialog', { name: 'Move README.md' }),
    names: ['option: Harbour House (top level) · plans · notes'],
  },
  {
    path: '/d/plans',
    press: ['Actions for opening-day.md', '>Set icon'],
    within: (page) => page.getByRole('dialog', { name: 'Icon for opening-day.md' }),
    names: ['label: Emoji or icon name', 'grid: Icons', 'button: Set icon · Remove icon'],
  },
  {
    path: '/d/plans',
    press: ['Actions for opening-day.md', '>Share'],
    within: (page) => page.getByRole('dialog', { name: 'Share opening-day.md' }),
    names: [
      'form: New link',
      'radiogroup: Who can open it',
      'radio: Members of Harbour House · Anyone with the link',
      'label: Password',
      'text: optional, 8+ characters',
      'checkbox: Freeze at this version',
      'button: Create link',
    ],
  },
  {
    path: `/f/${locations.publicLink}`,
    shows: (page) => page.getByRole('heading', { level: 1, name: 'volunteers.md' }),
    press: ['Share'],
    within: (page) => page.getByRole('dialog').getByRole('list', { name: 'Links to volunteers.md' }),
    names: ['listitem: Public link', 'textbox: Address', 'button: Copy address · Revoke', 'text: 0 views'],
  },
  {
    path: `/f/${locations.plan}`,
    names: [
      'heading: opening-day.md',
      'toolbar: File',
      'radiogroup: Mode',
      'radio: Read · Edit',
      'button: Copy · Actions for opening-day.md · Comments (2) · History · Activity · Info · Share',
      'group: Panels',
      'article: opening-day.md',
      'table: Front matter',
      'navigation: On this page',
    ],
  },
  {
    path: `/f/${locations.plan}?panel=comments`,
    within: (page) => page.getByRole('complementary', { name: 'Comments' }),
    names: [
      'button: Close panel · Reply · Reply and resolve · Resolve · Copy link to comment',
      'tab: Open (2) · Resolved (1)',
      'combobox: Order · Show',
      'option: In the text · Newest first · All · By people · By agents · Outdated',
      'list: Comments · Replies',
      'listitem: Comment on “The kitchen needs a second inspection”',
      'article: Comment on “The kitchen needs a second inspection”',
      'textbox: Reply to comment',
      'link: See version 2',
    ],
  },
  {
    path: `/f/${locations.plan}?panel=info`,
    within: (page) => page.getByRole('complementary', { name: 'Info' }),
    names: ['text: Path · Size · Type · Version · Last change · Content hash · Private · Links'],
  },
  {
    path: `/f/${locations.plan}?panel=history`,
    within: (page) => page.getByRole('complementary', { name: 'History' }),
    names: [
      'list: Versions',
      'listitem: Version 4 · Version 1',
      'link: Version 4 · Version 1',
      'checkbox: Compare version 1',
      'button: Restore version 1',
      'text: Created',
    ],
  },
  {
    path: `/f/${locations.plan}?panel=history&v=2`,
    within: (page) => page.getByRole('region', { name: 'Earlier version' }),
    names: [
      'text: /^Version from .*\\d.* \\(4 is current\\)$/',
      'button: Restore version 2 · Compare with current · Back to current',
    ],
  },
  // Content that is not edited also has a save state.
  ...[`${locations.plan}?v=2`, `${locations.plan}?compare=1..4`, 'pictures/floor-plan.png'].map((file) => ({
    path: `/f/${file}`,
    shows: (page: Page) =>
      page.getByRole('status', { name: 'Save state' }).and(page.getByText('Read-only', { exact: true })),
    names: ['status: Save state'],
  })),
  {
    path: `/f/${locations.plan}?panel=history&compare=1..4`,
    within: (page) => page.getByRole('region', { name: 'Comparing version 1 and version 4' }),
    names: ['button: Previous change · Next change · Close comparison', 'text: Change 1 of 4'],
  },
  {
    path: `/f/${locations.plan}?mode=edit`,
    names: [
      'textbox: Text of opening-day.md',
      'toolbar: Formatting',
      'button: Bold · Italic · Strikethrough · Code · Link · Heading · List · Task list · Quote',
      'status: Save state',
    ],
  },
  {
    path: '/conflicts',
    names: [
      'heading: Conflicts',
      'list: Conflicted copies',
      'button: Compare and merge · Keep both files · Delete copy',
      'link: plans/opening-day.md',
    ],
  },
  {
    path: '/conflicts',
    press: ['Compare and merge'],
    within: (page) => page.getByRole('dialog', { name: 'Compare and merge opening-day.md' }),
    names: [
      'region: Current version',
      'textbox: Merged text',
      'button: Previous difference · Next difference · Take theirs · Take mine · Take both',
      'button: Save merged text · Cancel',
      'status: Differences',
    ],
  },
  {
    path: '/activity',
    names: [
      'heading: Activity',
      'combobox: Who',
      'option: Everybody · People · Agents',
      'checkbox: Comments',
      'list: Changes',
      'button: Restore name-ideas.md',
    ],
  },
  {
    path: '/find?q=opening+day+type:md',
    shows: (page) => page.getByRole('list', { name: 'Results' }),
    names: [
      'heading: Find',
      'searchbox: Find files and text',
      'group: Filters',
      'button: Remove filter type:md · Add filter by:agents',
    ],
  },
  {
    path: '/d/calendar?view=calendar',
    names: ['button: Previous month · Next month · Today', 'region: Undated'],
  },
  {
    path: '/settings',
    names: [
      'navigation: Settings',
      'link: General · Appearance · Members · Links · Usage',
      'form: General',
      'label: Name · Emoji or icon name · Icon image',
      'button: Remove icon · Save',
      'radiogroup: Colour',
      'radio: None · Blue · Violet · Emerald · Amber · Rose · Cyan · Slate · Neutral',
    ],
  },
  {
    path: '/settings/appearance',
    names: [
      'radiogroup: Theme',
      'radio: Follow the system · Light · Dark · Dracula · Nord · Solarized Light · Rosé Pine · Stoa',
      'textbox: Theme CSS',
      'article: Preview',
      'button: Save · Remove theme CSS',
      'link: Open without theme CSS',
    ],
  },
  {
    path: '/settings/members',
    names: [
      'table: Members · Invites',
      'row: Ada · Ben',
      'combobox: Role of Ben',
      'option: Owner · Admin · Member',
      'button: Remove Ben · Leave workspace · Create invite link · Revoke',
    ],
  },
  {
    path: '/settings/members',
    press: ['Create invite link'],
    within: (page) => page.getByRole('dialog', { name: 'Create invite link' }),
    names: [
      'combobox: Expires after',
      'option: 1 day · 7 days · 30 days · 90 days',
      'label: Uses',
      'text: empty: unlimited',
      'button: Create link',
    ],
  },
  {
    path: '/settings/links',
    names: ['table: Share links', 'row: guides/volunteers.md', 'button: Copy address · Revoke'],
  },
  {
    path: '/settings/usage',
    names: [
      'meter: Storage · Files',
      'text: Largest file allowed · Views of shared pages · Plan',
      'table: Largest files',
    ],
  },
];

const account: readonly CheckedPage[] = [
  {
    path: '/account',
    names: [
      'heading: Profile',
      'form: Profile · Password · Preferences',
      'label: Current password · New password',
      'checkbox: Sign out everywhere else',
      'button: Save · Change password',
      'list: Sessions',
      'combobox: Theme',
      'option: Workspace’s choice · Follow the system · Light · Stoa',
      'switch: Single-key shortcuts',
    ],
  },
  {
    path: '/account/keys',
    names: ['heading: API keys', 'table: API keys', 'row: Scribe', 'button: Revoke Scribe'],
  },
  {
    path: '/account/keys',
    press: ['Create key'],
    within: (page) => page.getByRole('dialog', { name: 'Create key' }),
    names: [
      'label: Name',
      'radiogroup: For',
      'radio: An AI agent · My own computer',
      'combobox: Workspace',
      'option: All my workspaces · Harbour House',
      'button: Create',
    ],
  },
  {
    path: '/link',
    names: ['heading: Link a device', 'form: Link a device', 'label: Code', 'button: Continue'],
  },
];

test('controls on each screen have the names that users and programs rely on', app.options, async (t) => {
  const demo = await fillWorkspace(app.url, new Date(), 'contract.example');
  const page = await app.open(t);
  await signInOnPage(page, demo.people[0], '/account');
  for (const location of account) await check(page, location.path, location);
  const workspace = `/w/${demo.workspaceId}`;
  await page.goto(workspace);
  for (const location of rows) await check(page, workspace + location.path, location);
});

/** The expression between slashes, for a text that holds a time; null for other names. */
function patternOf(name: string): RegExp | null {
  const [, source] = /^\/(.+)\/$/.exec(name) ?? [];
  return source === undefined ? null : new RegExp(source);
}

async function check(
  page: Page,
  address: string,
  { shows, press = [], type = '', within, names }: CheckedPage,
): Promise<void> {
  await goTo(page, address);
  await shows?.(page).waitFor();
  for (const name of press) {
    const control = name.startsWith('>')
      ? page.getByRole('menuitem', { name: name.slice(1), exact: true })
      : page.getByRole('button', { name, exact: true });
    await control.first().click();
  }
  if (type !== '') {
    await page.locator('input:focus').waitFor();
    await page.keyboard.type(type);
  }
  const location = within?.(page) ?? page;
  for (const line of names) {
    const [role = '', list = ''] = line.split(/: (.*)/);
    for (const name of list.split(' · ')) {
      const found =
        role === 'text'
          ? location.getByText(patternOf(name) ?? name, { exact: true })
          : role === 'label'
            ? location.getByLabel(name, { exact: true })
            : location.getByRole(role as 'button', { name, exact: true });
      await found
        .first()
        .waitFor({ state: 'attached' })
        .catch(() => {
          throw new Error(`${address}: there is no ${role} "${name}"`);
        });
    }
  }
  // An open menu or dialog would cover the next screen.
  for (const role of ['menu', 'dialog'] as const) {
    if ((await page.getByRole(role).count()) === 0) continue;
    // The merge dialog closes by its button.
    const cancel = page.getByRole('dialog', { name: /^Compare/ }).getByRole('button', { name: 'Cancel' });
    if ((await cancel.count()) > 0) await cancel.click();
    else await page.keyboard.press('Escape');
    await page.getByRole(role).first().waitFor({ state: 'detached' });
  }
}
