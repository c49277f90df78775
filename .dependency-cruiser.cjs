// Who may import whom, as data. Direction: kernel ← domain ← contract ← ports ← application / adapters ← platform ← apps;
// formats stands beside ports, and proof below them. See docs/architecture.md.

const lib = (name) => `^libs/${name}/`;
const DEPLOYMENTS = '^test/support/deployments/';
/** A rule: files under `from` may import, of our own code, only what is under `to`. */
const mayImportOnly = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '[.]spec[.]ts$' },
  to: { path: '^(libs|apps)/', pathNot: to },
});
/** A rule: only files under `owner` may import the packages that match `packages`. */
const ownedBy = (name, packages, owner) => ({
  name,
  severity: 'error',
  from: { path: '^(libs|apps)/', pathNot: owner },
  to: { path: packages },
});

/** The floors of the domain from the ground up: each imports only those before it. `tenant` is above them. */
const FLOORS = [
  'message',
  'quotes',
  'models',
  'profiles',
  'budget',
  'fidelity',
  'session',
  'turns',
  'view',
  'occupancy',
  'context',
  'compaction',
  'evolve',
  'decisions',
];
const floor = (names) => `^libs/domain/src/(${names.join('|')})/`;
const floorRules = FLOORS.slice(0, -1).map((name, at) => ({
  name: `domain-${name}-below-${FLOORS[at + 1]}`,
  severity: 'error',
  from: { path: floor([name]), pathNot: '[.]spec[.]ts$' },
  to: { path: floor([...FLOORS.slice(at + 1), 'tenant']) },
}));

/** Packages of agent frameworks, which only their adapters import. */
const FRAMEWORKS = '^(langchain|@langchain|@openai/agents)(/|$)';

module.exports = {
  forbidden: [
    ...floorRules,
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      // Optional peers of adapters, which are installed where they are tested.
      to: { couldNotResolve: true, pathNot: FRAMEWORKS },
    },
    {
      name: 'kernel-and-domain-are-pure',
      comment: 'They import nothing from npm or node.',
      severity: 'error',
      from: { path: '^libs/(kernel|domain)/', pathNot: '[.]spec[.]ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'core'] },
    },
    {
      name: 'client-runs-anywhere',
      comment: 'Others install it by itself: it takes nothing from npm or node.',
      severity: 'error',
      from: { path: '^libs/client/', pathNot: ['[.]spec[.]ts$', '^libs/client/src/spec/'] },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'core'] },
    },
    {
      name: 'tlog-runs-anywhere',
      comment: 'Others install it by itself, and browsers verify with it: it imports nothing of node.',
      severity: 'error',
      from: { path: '^libs/tlog/', pathNot: '^libs/tlog/src/spec/' },
      to: { dependencyTypes: ['core'] },
    },
    mayImportOnly('framework-adapters-on-client', lib('framework-adapters'), [
      lib('framework-adapters'),
      lib('client'),
    ]),
    ownedBy('one-importer-of-agent-frameworks', FRAMEWORKS, lib('framework-adapters')),
    mayImportOnly('tlog-stands-alone', lib('tlog'), [lib('tlog')]),
    mayImportOnly('kernel-stands-alone', lib('kernel'), [lib('kernel')]),
    mayImportOnly('domain-on-kernel', lib('domain'), [lib('domain'), lib('kernel')]),
    mayImportOnly('formats-on-domain', lib('formats'), [lib('formats'), lib('domain'), lib('kernel')]),
    mayImportOnly('contract-on-domain', lib('contract'), [
      lib('contract'),
      lib('formats'),
      lib('domain'),
      lib('kernel'),
    ]),
    mayImportOnly('ports-on-contract', lib('ports'), [
      lib('ports'),
      lib('contract'),
      lib('domain'),
      lib('proof'),
      lib('kernel'),
    ]),
    mayImportOnly('proof-on-tlog', lib('proof'), [lib('proof'), lib('tlog'), lib('kernel')]),
    mayImportOnly('prompts-on-ports', lib('prompts'), [
      lib('prompts'),
      lib('ports'),
      lib('domain'),
      lib('kernel'),
    ]),
    mayImportOnly('application-on-ports', lib('application'), [
      lib('application'),
      lib('contract'),
      lib('ports'),
      lib('formats'),
      lib('domain'),
      lib('proof'),
      lib('tlog'),
      lib('kernel'),
    ]),
    mayImportOnly('mcp-on-application', lib('mcp'), [
      lib('mcp'),
      lib('contract'),
      lib('application'),
      lib('ports'),
      lib('domain'),
      lib('proof'),
      lib('kernel'),
    ]),
    {
      name: 'adapters-know-neither-application-nor-each-other',
      severity: 'error',
      from: { path: '^libs/adapters/([^/]+)/', pathNot: '[.]spec[.]ts$' },
      to: {
        path: '^(libs|apps)/',
        pathNot: [
          '^libs/adapters/$1/',
          lib('prompts'),
          lib('contract'),
          lib('ports'),
          lib('formats'),
          lib('domain'),
          lib('proof'),
          lib('tlog'),
          lib('kernel'),
        ],
      },
    },
    mayImportOnly('embedded-event-store-stands-alone', lib('embedded-event-store'), [
      lib('embedded-event-store'),
      lib('kernel'),
    ]),
    mayImportOnly('event-store-copy-stands-alone', lib('event-store-copy'), [
      lib('event-store-copy'),
      lib('kernel'),
    ]),
    mayImportOnly('embedded-postgres-stands-alone', lib('embedded-postgres'), [
      lib('embedded-postgres'),
      lib('kernel'),
    ]),
    mayImportOnly('deployments-start-programs-and-call-them', DEPLOYMENTS, [
      lib('client'),
      lib('embedded-event-store'),
      lib('embedded-postgres'),
    ]),
    mayImportOnly('client-stands-alone', lib('client'), [lib('client')]),
    { ...mayImportOnly('libs-know-no-app', '^libs/', ['^libs/']) },
    {
      name: 'apps-do-not-import-each-other',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    mayImportOnly('console-uses-the-public-api-alone', '^apps/console/', [
      '^apps/console/',
      lib('client'),
      // The verifier of proof bundles, which works without the service.
      lib('proof'),
      lib('tlog'),
    ]),
    {
      name: 'test-support-is-for-tests',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: '[.]spec[.]ts$' },
      to: { path: '^test/' },
    },
    ownedBy('nest-stops-at-platform', '^node_modules/@nestjs/(core|common)', ['^libs/platform/', '^apps/']),
    ownedBy('cqrs-is-for-handlers', '^node_modules/@nestjs/cqrs', [
      lib('application'),
      lib('mcp'),
      '^libs/platform/',
      '^apps/',
    ]),
    ownedBy('one-importer-of-the-mcp-server', '^node_modules/@modelcontextprotocol/server/', [
      lib('mcp'),
      '[.]spec[.]ts$',
    ]),
    ownedBy('one-importer-of-the-event-store-client', '^node_modules/@eventstore/', [
      lib('adapters/event-store-db'),
      lib('embedded-event-store'),
      lib('event-store-copy'),
      DEPLOYMENTS,
      '[.]spec[.]ts$',
    ]),
    ownedBy('one-importer-of-postgres', '^node_modules/(pg|kysely)/', [
      lib('adapters/(read-model-postgres|blobs-postgres)'),
      '[.]spec[.]ts$',
    ]),
    ownedBy('one-importer-of-tiktoken', '^node_modules/tiktoken/', [lib('adapters/tokens-tiktoken')]),
    ownedBy('one-importer-of-anthropics-client', '^node_modules/@anthropic-ai/', [
      lib('adapters/(summarizer|models)-anthropic'),
      '[.]spec[.]ts$',
    ]),
    ownedBy('one-importer-of-openais-client', '^node_modules/openai/', [
      lib('adapters/summarizer-openai'),
      '[.]spec[.]ts$',
    ]),
    ownedBy('one-importer-of-lmdb', '^node_modules/lmdb/', [lib('embedded-event-store')]),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
