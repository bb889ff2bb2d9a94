/**
 * The top-level folders: their responsibilities and the imports they may have. `node
 * scripts/folder-table.ts` writes the table of CONTRIBUTING.md from this list.
 */

/**
 * `imports` lists folders and files that a folder may import beside itself, npm packages and Node.js.
 * Without it, everything may be imported.
 */
const FOLDERS = {
  article: {
    contains: 'Pure functions over a document: frontmatter, Markdown, rendering, description, feeds and catalogues',
    imports: [],
  },
  delivery: {
    contains: 'Pure decisions about one delivery and its copy: the next step, and the meaning of each ending',
    imports: ['article/types.ts', 'destinations/types.ts', 'destinations/posts/describe-withdrawal.ts'],
  },
  destinations: {
    contains: 'One folder per platform, with the files that `destinations/types.ts` lists, and shared folders',
    imports: ['article', 'runtime/threads'],
  },
  sources: {
    contains: 'Sources of imports: feeds, and the APIs of platforms',
    imports: ['article', 'destinations', 'runtime/threads'],
  },
  store: {
    contains:
      'PostgreSQL: one folder per subject, one file per use case; `db/` (connection, migrations, types), stored images and `calendar/`',
    imports: ['article', 'delivery', 'runtime/config'],
  },
  temporal: {
    contains: 'Temporal: names, signals, connection, Schedules, search attributes, workflow bundle',
    imports: [
      ...['article/types.ts', 'article/describe/cut-text.ts', 'delivery/outcome.ts', 'workflows/messages.ts'],
      ...['destinations/format/plain-line.ts', 'destinations/registry.ts'],
    ],
  },
  workflows: {
    contains: 'One file per workflow, and their messages. Of the activities only types are imported',
    imports: ['article/types.ts', 'delivery', 'temporal/names.ts', 'activities'],
  },
  activities: {
    contains: 'The activities that workflows call, one folder per subject',
    imports: ['article', 'delivery', 'destinations', 'sources', 'store', 'temporal', 'mail'],
  },
  worker: {
    contains: 'The worker process: dependencies, start-up, metrics',
    imports: [
      ...['activities', 'delivery', 'destinations', 'sources', 'store', 'temporal', 'mail'],
      ...['runtime/config', 'runtime/telemetry'],
    ],
  },
  api: {
    contains:
      'The HTTP process: one folder per subject with its routes, pages and GraphQL fields; `http-cache/`, `plugins/`, `background/`',
    imports: ['article', 'destinations', 'sources', 'store', 'temporal', 'mail', 'runtime'],
  },
  mail: {
    contains: 'Mails: their HTML and text, SMTP, and the folder that stores mails without a server',
    imports: [],
  },
  runtime: {
    contains: 'Shared by the processes: `config/` (environment variables), `telemetry/` (metrics, traces), `threads/`',
    imports: [],
  },
  browser: {
    contains: 'Scripts and styles of the pages, bundled for browsers',
    imports: ['article/content-limit.ts', 'article/text/decode-text.ts', 'article/images/picture-file.ts'],
  },
  cli: {
    contains: 'The command line: a package of its own, bundled for Node.js 20',
    imports: ['article', 'destinations'],
  },
  action: { contains: 'The program of `action.yml`, in JavaScript for the Node.js of the runner', imports: [] },
  sandbox: { contains: 'Local stand-ins of the destinations, over HTTP', imports: [] },
  scripts: { contains: 'Set-up, start-up, builds and checks' },
  test: {
    contains:
      'Tests, in the same folders as the code; `faults/`, `operation/`, `real/`, `walk/`, `histories/`, `support/`',
  },
  bench: { contains: 'Measurements beside a peer or a floor' },
  docs: { contains: 'Documentation' },
  examples: { contains: 'Articles to publish' },
  ops: { contains: 'Deployment: reverse proxies, systemd, Prometheus, Grafana' },
};

const CODE_FOLDERS = Object.keys(FOLDERS).filter((name) => FOLDERS[name].imports);

const literal = (text) => text.replace(/[.]/g, '\\.');

const folderRules = CODE_FOLDERS.map((folder) => {
  const { imports } = FOLDERS[folder];
  return {
    name: `folder-${folder}`,
    comment: `${folder}/ may import ${[...imports, 'npm packages'].join(', ')} only.`,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: {
      path: '^[^/]+/',
      dependencyTypesNot: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'],
      pathNot: [
        `^${folder}/`,
        '^node_modules/',
        ...imports.map((name) => (name.endsWith('.ts') ? `^${literal(name)}$` : `^${name}/`)),
      ],
    },
  };
});

module.exports = {
  forbidden: [
    ...folderRules,
    {
      name: 'no-cycles',
      comment: 'Types included. Move what two files need of each other into a third file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'processes-are-not-imported',
      comment:
        'api, worker, cli and action are processes: scripts start them, only tests, benches and the generator of the reference import them.',
      severity: 'error',
      from: { pathNot: '^(test|bench|api|worker|cli|action|scripts/reference)/' },
      // The doctor reads the same settings and keys.
      to: {
        path: '^(api|worker|cli|action)/',
        pathNot: '^(api|worker)/config\\.ts$|^api/auth/keys/key-ring\\.ts$',
      },
    },
    {
      name: 'no-dev-dependency-at-run-time',
      comment: 'Deployments install no dev dependencies.',
      severity: 'error',
      from: {
        path: `^(${CODE_FOLDERS.filter((folder) => !['cli', 'browser', 'sandbox'].includes(folder)).join(
          '|',
        )}|scripts/(admin|doctor))/`,
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflows-are-deterministic',
      comment: 'Workflows import the workflow SDK, names and types, and nothing with effects.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^node_modules/', pathNot: '^node_modules/@temporalio/(workflow|common)/' },
    },
    {
      name: 'workflows-import-activity-types-only',
      comment: 'Workflows import the types of activities, not their code.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'delivery-is-pure',
      comment: 'Decisions need neither an SDK nor I/O: no npm package, no Node.js module.',
      severity: 'error',
      from: { path: '^delivery/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'] },
    },
    {
      name: 'calendar-is-pure',
      comment: 'Dates in time zones need only a polyfill.',
      severity: 'error',
      from: { path: '^store/calendar/' },
      to: { path: '.', pathNot: ['^store/calendar/', '^node_modules/temporal-polyfill/'] },
    },
    {
      name: 'documents-are-pure',
      comment:
        'Articles and formats are functions of their input: threads, files and the network belong to their callers.',
      severity: 'error',
      from: {
        path: '^(article/|destinations/(format/|[^/]+/format))',
        pathNot: '^destinations/format/(pool|worker)\\.ts$',
      },
      to: { path: '.', dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'documents-need-no-pool',
      severity: 'error',
      from: {
        path: '^(article/|destinations/(format/|[^/]+/format))',
        pathNot: '^destinations/format/(pool|worker)\\.ts$',
      },
      to: { path: '^node_modules/piscina/' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(hast|mdast)$' } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^cli/dist/', '^browser/dist/', '^\\.courant'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
    moduleSystems: ['es6'],
  },
};

// Not enumerable, because dependency-cruiser rejects unknown options.
Object.defineProperty(module.exports, 'folders', { value: FOLDERS });
