/** The rooms of the house: who may import whom. One rule a room, and no cycles anywhere. */

/** What each room may import beside itself and npm. */
const MAY_IMPORT = {
  article: [],
  threads: [],
  destinations: ['article', 'threads'],
  delivery: ['article/types.ts', 'destinations/types.ts', 'destinations/posts/describe-withdrawal.ts'],
  // Where articles come from, as destinations are where they go.
  sources: ['article', 'destinations', 'images', 'threads'],
  config: [],
  // Metrics and traces, the same for every process.
  telemetry: ['config'],
  // Copied pictures: files, or a bucket.
  images: [],
  calendar: [],
  store: ['article', 'calendar', 'delivery', 'config', 'images/image-name.ts', 'images/image-types.ts'],
  temporal: [
    ...['article/types.ts', 'article/describe/cut-text.ts', 'delivery/outcome.ts', 'workflows/messages.ts'],
    ...['destinations/format/plain-line.ts', 'destinations/name-destination.ts'],
  ],
  // Of the activities only the types: see `workflows-know-activities-by-type`.
  workflows: ['article/types.ts', 'delivery', 'temporal/names.ts', 'activities'],
  mail: [],
  activities: ['article', 'calendar', 'delivery', 'destinations', 'images', 'sources', 'store', 'temporal', 'mail'],
  api: [
    ...['article', 'calendar', 'destinations', 'images', 'sources', 'threads', 'store', 'temporal', 'config', 'mail'],
    'telemetry',
  ],
  worker: [
    ...['activities', 'delivery', 'destinations', 'images', 'sources', 'store', 'temporal', 'config', 'mail'],
    // It gives memory back when it is idle, as every process does.
    ...['telemetry', 'threads/collect-when-idle.ts'],
  ],
  cli: ['article', 'destinations', 'images/picture-file.ts'],
  // Runs on a runner, where nothing is installed.
  action: [],
  sandbox: [],
  // It is bundled for browsers; the API reads the bundles. Files are read there by the same rules as on the command line.
  browser: ['article/content-limit.ts', 'article/text/decode-text.ts', 'images/picture-file.ts'],
};

const literal = (text) => text.replace(/[.]/g, '\\.');

const roomRules = Object.entries(MAY_IMPORT).map(([room, allowed]) => ({
  name: `room-${room}`,
  comment: `${room}/ may import ${[...allowed, 'npm'].join(', ')} only.`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: {
    path: '^[^/]+/',
    dependencyTypesNot: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'],
    pathNot: [
      `^${room}/`,
      '^node_modules/',
      ...allowed.map((name) => (name.endsWith('.ts') ? `^${literal(name)}$` : `^${name}/`)),
    ],
  },
}));

module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'no-cycles',
      comment: 'Types included: two files that need the types of each other have a third subject.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'processes-are-not-imported',
      comment: 'api, worker, cli and action run as processes; scripts start them, only tests look inside.',
      severity: 'error',
      from: { pathNot: '^(test|bench|api|worker|cli|action)/' },
      // The doctor reads settings and keys as they do.
      to: {
        path: '^(api|worker|cli|action)/',
        pathNot: '^(api|worker)/config\\.ts$|^api/auth/(key-ring|private-keys)\\.ts$',
      },
    },
    {
      name: 'what-runs-needs-no-dev-dependency',
      comment: 'The image of a deployment is installed without them.',
      severity: 'error',
      from: {
        path: `^(${Object.keys(MAY_IMPORT)
          .filter((room) => !['cli', 'browser', 'sandbox'].includes(room))
          .join('|')}|scripts/(admin|doctor))/`,
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflows-are-deterministic',
      comment: 'A workflow imports the workflow SDK, names and types; nothing that touches the world.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^node_modules/', pathNot: '^node_modules/@temporalio/(workflow|common)/' },
    },
    {
      name: 'workflows-know-activities-by-type',
      comment: 'A workflow knows the shapes of its activities without importing their code.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'delivery-is-pure',
      comment: 'What is to be done next is decided without SDK and without I/O: no npm package, no Node module.',
      severity: 'error',
      from: { path: '^delivery/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'] },
    },
    {
      name: 'calendar-is-pure',
      comment: 'Dates in time zones need a polyfill and nothing else.',
      severity: 'error',
      from: { path: '^calendar/' },
      to: { path: '.', pathNot: ['^calendar/', '^node_modules/temporal-polyfill/'] },
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
    moduleSystems: ['es6', 'cjs'],
  },
};
