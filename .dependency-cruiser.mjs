/**
 * The arrows between the parts: imports point down only. Each rule says why, so that a refusal teaches.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const arrows = {
  core: { mayReach: [], why: 'core decides, and depends on nobody.' },
  markdown: { mayReach: ['core'], why: 'markdown reads a text, and knows no page.' },
  contract: { mayReach: ['core'], why: 'contract speaks; it serves nothing.' },
  client: { mayReach: ['core', 'contract'], why: 'The client knows the contract, never the server.' },
  cli: {
    mayReach: ['core', 'client'],
    why: 'The command line talks to the server through the client alone.',
  },
  server: {
    mayReach: ['core', 'markdown', 'contract'],
    why: 'The server answers clients, and never calls one.',
  },
  web: {
    mayReach: ['core', 'markdown', 'contract', 'client'],
    why: 'The app shows; all that it does goes through the client.',
  },
};

const routeOutlines = '^packages/contract/src/routes/route-table\\.ts$';

const within = (folder) => `^packages/server/src/${folder}/`;

const only = (name, from, mayReach, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: '^packages/[^/]+/src/', pathNot: mayReach },
});

/** The lower floors of the app, and what each may reach beside itself. All other folders are features, but for `above`. */
const webFloors = {
  store: [],
  text: ['core'],
  themes: ['core', 'store', 'text'],
  api: ['client', 'contract', 'core', 'store', 'text'],
  ui: ['core', 'store', 'text', 'themes'],
  saving: ['api', 'client', 'contract', 'core', 'merging', 'store', 'text', 'ui'],
  merging: ['api', 'client', 'contract', 'core', 'saving', 'store', 'text', 'ui'],
};
/** The rooms of the command-line client, and what each may reach beside itself. `commands` reaches all but the adapters. */
const cliRooms = {
  output: ['core'],
  config: ['core', 'output'],
  link: ['client', 'config', 'core', 'output'],
  files: ['client', 'config', 'core', 'output'],
  mcp: ['client/retry', 'config', 'core', 'output'],
  engine: ['client/retry', 'core'],
  local: ['core', 'engine/ports'],
  state: ['core', 'engine/ports'],
  remote: ['client', 'core', 'engine/ports'],
  commands: ['client', 'config', 'core', 'engine', 'files', 'link', 'mcp', 'output'],
};
const cliPattern = (name) => {
  if (name === 'client/retry') return '^packages/client/src/retry\\.ts$';
  return ['client', 'core'].includes(name) ? `^packages/${name}/src/` : `^packages/cli/src/${name}/`;
};

/** Put features together: the whole app, and the page of a file with its modes and panels. */
const above = '(?:app|file-page)';
const folderPattern = (name) =>
  ['client', 'contract', 'core', 'markdown'].includes(name)
    ? `^packages/${name}/src/`
    : `^packages/web/src/${name}/`;

export default {
  forbidden: [
    {
      name: 'no-circle',
      severity: 'error',
      comment: 'Parts that need each other are one part, or lack a third.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-folder-circle',
      severity: 'error',
      comment: 'Two folders that need each other are one room, or lack a third.',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      comment: 'An import that resolves to nothing fails only when it is reached.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'not-to-undeclared',
      severity: 'error',
      comment: 'A package imports only what its own package.json names.',
      from: { path: '^packages/[^/]+/src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'not-to-development',
      severity: 'error',
      comment:
        'What runs in production may not lean on a tool of development. Of the app only the build runs there.',
      from: { path: '^packages/[^/]+/src/', pathNot: '^packages/web/src/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'web-has-no-node',
      severity: 'error',
      comment: 'The app runs in browsers.',
      from: { path: '^packages/web/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'web-takes-types-of-contract',
      severity: 'error',
      comment: 'The values of contract bring the schema library, which the app does without.',
      from: { path: '^packages/web/src/' },
      to: { path: '^packages/contract/src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-editor-stands-alone',
      severity: 'error',
      comment: 'The editor is a chunk of its own: one import elsewhere would load it with the first page.',
      from: { path: '^packages/web/src/', pathNot: '^packages/web/src/(editing|merging)/' },
      to: { path: 'node_modules/(@codemirror|@lezer)/' },
    },
    {
      name: 'web-reading-stands-alone',
      severity: 'error',
      comment: 'The markdown parser runs in the worker of the reading view.',
      from: { path: '^packages/web/src/', pathNot: '^packages/web/src/reading/parse\\.worker\\.ts$' },
      to: {
        path: '^packages/markdown/src/',
        pathNot: '^packages/markdown/src/tree\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-parts-stand-in-ui',
      severity: 'error',
      comment: 'One wrapper for each part, so that the app looks and behaves alike everywhere.',
      from: { path: '^packages/web/src/', pathNot: '^packages/web/src/ui/' },
      to: { path: 'node_modules/(radix-ui|@radix-ui/[^/]+|lucide-react)/' },
    },
    ...Object.entries(webFloors).map(([name, mayReach]) =>
      only(
        `web-${name}-stands-below`,
        folderPattern(name),
        [name, ...mayReach].map(folderPattern),
        'Features rest on these floors, which know none of them.',
      ),
    ),
    only(
      'web-features-stand-side-by-side',
      `^packages/web/src/(?!${above}/|(?:${Object.keys(webFloors).join('|')})/)([^/]+)/`,
      [
        ...['client', 'contract', 'core', 'markdown', ...Object.keys(webFloors)].map(folderPattern),
        '^packages/web/src/$1/',
        `^packages/web/src/(?!${above}/)[^/]+/[A-Z]\\w*\\.tsx$`,
        '^packages/web/src/reading/ask-parser\\.ts$',
      ],
      "A feature opens another's dialog by value (`openDialog`), and shows another's view by importing that component's file. All ask the worker that parses texts.",
    ),
    ...Object.entries(cliRooms).map(([name, mayReach]) =>
      only(
        `cli-${name}-keeps-its-room`,
        cliPattern(name),
        [
          ...[name, ...mayReach].map(cliPattern),
          ...(name === 'commands' ? ['^packages/cli/src/create-engine\\.ts$'] : []),
        ],
        'The engine decides behind ports; only create-engine.ts picks adapters.',
      ),
    ),
    {
      name: 'cli-engine-has-no-machine',
      severity: 'error',
      comment: 'Disk, network, clock and chance stand behind ports, so that a simulation can play them.',
      from: { path: '^packages/cli/src/engine/' },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    ...Object.entries(arrows).map(([name, { mayReach, why }]) =>
      only(
        `${name}-imports-${mayReach.join('-and-') || 'nothing'}`,
        `^packages/${name}/src/`,
        [`^packages/(${[...mayReach, name].join('|')})/src/`],
        why,
      ),
    ),
    {
      name: 'package-without-arrows',
      severity: 'error',
      comment: 'Say in `arrows` in .dependency-cruiser.mjs what a new package may reach.',
      from: { path: '^packages/[^/]+/src/', pathNot: `^packages/(${Object.keys(arrows).join('|')})/src/` },
      to: {},
    },
    {
      name: 'core-has-no-machine',
      severity: 'error',
      comment: 'core is pure: no Node module, no library but the YAML parser behind its own entry point.',
      from: { path: '^packages/core/src/', pathNot: '^packages/core/src/files/front-matter\\.ts$' },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    {
      name: 'markdown-has-no-node',
      severity: 'error',
      comment: 'The app reads in a browser.',
      from: { path: '^packages/markdown/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'client-has-no-node',
      severity: 'error',
      comment: 'The client runs in browsers too.',
      from: { path: '^packages/client/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'client-takes-types-of-contract',
      severity: 'error',
      comment:
        'The values of contract bring the schema library: browsers load the outlines of the routes alone.',
      from: { path: '^packages/client/src/' },
      to: {
        path: '^packages/contract/src/',
        pathNot: routeOutlines,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'outlines-stand-alone',
      severity: 'error',
      comment: 'What the outlines of the routes import, every page loads.',
      from: { path: routeOutlines },
      to: { dependencyTypesNot: ['type-only'] },
    },
    only(
      'service-imports-core',
      within('service'),
      ['^packages/core/src/', within('concurrency'), within('service')],
      'Use cases know decisions and their own ports: no HTTP words, no SQL, no adapter.',
    ),
    only(
      'storage-imports-ports',
      within('storage'),
      [
        '^packages/core/src/',
        within('concurrency'),
        within('storage'),
        within('service/ports'),
        '^packages/server/src/service/plans\\.ts$',
      ],
      'Adapters implement ports; rules and permissions live in service.',
    ),
    only(
      'concurrency-stands-below',
      within('concurrency'),
      ['^packages/core/src/', within('concurrency')],
      'Semaphores and workers are tools for all the others, and know none of them.',
    ),
    {
      name: 'workers-stand-above',
      severity: 'error',
      comment: 'What runs in a worker belongs to another part; here each is given its thread and its limits.',
      from: {
        path: '^packages/server/src/',
        pathNot: [within('workers'), '^packages/server/src/create-deps\\.ts$'],
      },
      to: { path: within('workers') },
    },
    only(
      'auth-imports-service',
      within('auth'),
      ['^packages/core/src/', within('concurrency'), within('auth'), within('service')],
      'auth turns credentials into callers; it knows no route.',
    ),
    only(
      'records-speak-for-both',
      within('records'),
      ['^packages/(core|contract)/src/', within('records'), within('service')],
      'How rows are sent, the same on every surface: no request, no transport.',
    ),
    only(
      'mcp-imports-no-http',
      within('mcp'),
      [
        '^packages/(core|contract)/src/',
        within('concurrency'),
        within('mcp'),
        within('records'),
        within('service'),
      ],
      'Tools call use cases. The transport in front of them is http.',
    ),
    only(
      'http-imports-no-storage',
      within('http'),
      [
        '^packages/(core|contract|markdown)/src/',
        within('concurrency'),
        within('http'),
        within('mcp'),
        within('records'),
        within('service'),
        within('auth'),
        within('metrics'),
        within('tracing'),
        within('logging'),
      ],
      'Handlers call use cases. Only create-deps.ts picks adapters.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
