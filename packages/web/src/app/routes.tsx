import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { FolderPage } from '../files/FolderPage.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { App } from './App.tsx';
import { NotFoundHere, NotFoundPage } from './NotFoundPage.tsx';
import { PageFailure } from './PageFailure.tsx';
import { SignedIn } from './SignedIn.tsx';
import { WorkspaceFrame } from './WorkspaceFrame.tsx';

// Each page is a chunk of its own, loaded when it is gone to, but for the folder: it is where people arrive, and a chunk of
// its own would be asked for only when all else is there. Pages read their path by `useParams` and search parameters
// by `useSearch`, both as texts.

const root = createRootRoute({ component: App, notFoundComponent: NotFoundPage });

/** Who is not signed in goes from any of these to the sign-in page, and comes back. */
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn });

const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: '/w/$workspaceId',
  component: WorkspaceFrame,
  notFoundComponent: NotFoundHere,
});

const accountPages = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: AccountFrame,
});

const tree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/signin',
    validateSearch: (search) => ({ ...nextOnly(search), ...refusedOnly(search) }),
    component: lazyRouteComponent(() => import('../account/SignInPage.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/signup',
    validateSearch: nextOnly,
    component: lazyRouteComponent(() => import('../account/SignUpPage.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset',
    component: lazyRouteComponent(() => import('../account/ResetPage.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invite/$token',
    component: lazyRouteComponent(() => import('../invites/InvitePage.tsx'), 'InvitePage'),
  }),
  signedIn.addChildren([
    createRoute({
      getParentRoute: () => signedIn,
      path: '/',
      component: lazyRouteComponent(() => import('../account/StartPage.tsx'), 'StartPage'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/link',
      component: lazyRouteComponent(() => import('../device/DevicePage.tsx'), 'DevicePage'),
    }),
    accountPages.addChildren([
      createRoute({
        getParentRoute: () => accountPages,
        path: '/',
        validateSearch: refusedOnly,
        component: lazyRouteComponent(() => import('../account/ProfilePage.tsx'), 'ProfilePage'),
      }),
      createRoute({
        getParentRoute: () => accountPages,
        path: '/keys',
        component: lazyRouteComponent(() => import('../keys/KeysPage.tsx'), 'KeysPage'),
      }),
    ]),
    workspace.addChildren([
      createRoute({ getParentRoute: () => workspace, path: '/', component: FolderPage }),
      createRoute({ getParentRoute: () => workspace, path: '/d/$', component: FolderPage }),
      createRoute({
        getParentRoute: () => workspace,
        path: '/activity',
        component: lazyRouteComponent(() => import('../activity/ActivityPage.tsx'), 'ActivityPage'),
      }),
      createRoute({
        getParentRoute: () => workspace,
        path: '/conflicts',
        component: lazyRouteComponent(() => import('../conflicts/ConflictsPage.tsx'), 'ConflictsPage'),
      }),
      createRoute({
        getParentRoute: () => workspace,
        path: '/settings',
        component: lazyRouteComponent(() => import('../settings/GeneralPage.tsx'), 'GeneralPage'),
      }),
      createRoute({
        getParentRoute: () => workspace,
        path: '/settings/appearance',
        component: lazyRouteComponent(() => import('../settings/AppearancePage.tsx'), 'AppearancePage'),
      }),
      createRoute({
        getParentRoute: () => workspace,
        path: '/settings/members',
        component: lazyRouteComponent(
          () => import('../settings/MembersSettingsPage.tsx'),
          'MembersSettingsPage',
        ),
      }),
      createRoute({
        getParentRoute: () => workspace,
        path: '/settings/links',
        component: lazyRouteComponent(() => import('../settings/LinksSettingsPage.tsx'), 'LinksSettingsPage'),
      }),
      createRoute({
        getParentRoute: () => workspace,
        path: '/settings/usage',
        component: lazyRouteComponent(() => import('../settings/UsagePage.tsx'), 'UsagePage'),
      }),
      createRoute({
        getParentRoute: () => workspace,
        path: '/settings/audit',
        component: lazyRouteComponent(() => import('../settings/AuditPage.tsx'), 'AuditPage'),
      }),
      createRoute({
        getParentRoute: () => workspace,
        path: '/f/$',
        component: lazyRouteComponent(() => import('../file-page/FilePage.tsx'), 'FilePage'),
      }),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: NotFoundPage,
  // Addresses hold plain texts: `v=12` is no number, and nothing in them is JSON.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const fields = new URLSearchParams();
    for (const [name, value] of Object.entries(search)) {
      if (typeof value === 'string' && value !== '') fields.set(name, value);
    }
    return fields.size === 0 ? '' : `?${fields}`;
  },
});

function nextOnly(search: Readonly<Record<string, unknown>>): { readonly next?: string } {
  return typeof search.next === 'string' ? { next: search.next } : {};
}

/** Why somebody who came back from a sign-in provider was refused. */
function refusedOnly(search: Readonly<Record<string, unknown>>): { readonly refused?: string } {
  return typeof search.refused === 'string' ? { refused: search.refused } : {};
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
