import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { usableLine } from '../api/addresses.ts';
import { FolderPage } from '../files/FolderPage.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { App } from './App.tsx';
import { NotFoundHere, NotFoundPage } from './NotFoundPage.tsx';
import { PageFailure } from './PageFailure.tsx';
import { SignedIn } from './SignedIn.tsx';
import { WorkspaceFrame } from './WorkspaceFrame.tsx';

// Each page is a chunk of its own, loaded on navigation, except the folder page: users arrive there, and its chunk
// would load only after everything else. Pages read their path with `useParams` and search parameters with `useSearch`,
// both as strings.

const root = createRootRoute({ component: App, notFoundComponent: NotFoundPage });

/** Redirects users without a session to the sign-in page and back. */
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
    validateSearch: (search) => ({ ...nextOnly(search), ...rejectedOnly(search) }),
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
        validateSearch: rejectedOnly,
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
        path: '/find',
        component: lazyRouteComponent(() => import('../palette/FindPage.tsx'), 'FindPage'),
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
        validateSearch: usableLine,
        component: lazyRouteComponent(() => import('../file-page/FilePage.tsx'), 'FilePage'),
      }),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: NotFoundPage,
  // Search parameters are plain strings: `v=12` is not parsed as a number or JSON.
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

/** The reason why signing in by a provider failed. */
function rejectedOnly(search: Readonly<Record<string, unknown>>): { readonly refused?: string } {
  return typeof search.refused === 'string' ? { refused: search.refused } : {};
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
