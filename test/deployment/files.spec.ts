import { readFileSync } from 'node:fs';
import { Metrics, SETTINGS } from '@app/platform';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

type Service = {
  readonly image?: string;
  readonly build?: string;
  readonly cpus?: number;
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly volumes?: readonly string[];
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const composeOf = (path: string): Compose => parse(textOf(path), { merge: true });
const rolesIn = ({ services }: Compose): readonly string[] =>
  Object.values(services).flatMap(({ environment }) => environment?.PALIMPSEST_ROLES ?? []);

describe.each(['docker-compose.yml', 'docker-compose.cluster.yml'])('%s', (path) => {
  const compose = composeOf(path);
  const services = Object.entries(compose.services);

  it('uses only existing settings', () => {
    const named = services.flatMap(([, { environment = {} }]) =>
      Object.keys(environment).filter((name) => /^(PALIMPSEST|OTEL)_/.test(name)),
    );
    expect(named.filter((name) => !SETTINGS.includes(name))).toEqual([]);
  });

  it('waits for servers with a health check', () => {
    for (const [, { depends_on = {} }] of services) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(condition).toBe('service_healthy');
        expect(compose.services[name]?.healthcheck?.test).toBeDefined();
      }
    }
  });

  it('declares and uses every volume', () => {
    const used = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]));
    expect(used.sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  it('limits CPU, memory and processes of every service', () => {
    const limits = services.map(([name, { cpus, mem_limit, pids_limit }]) => [
      name,
      cpus,
      mem_limit,
      pids_limit,
    ]);
    expect(limits.filter((row) => row.includes(undefined))).toEqual([]);
  });

  it('has a process for every role', () => {
    const roles = new Set(rolesIn(compose).flatMap((names) => names.split(',')));
    expect([...roles].sort()).toEqual(['api', 'compactor', 'projector', 'webhooks']);
  });

  it('connects every process to servers that it runs', () => {
    for (const [name, { environment }] of services.filter(([, { build }]) => build !== undefined)) {
      const { PALIMPSEST_EVENTSTORE_URL: log = '', PALIMPSEST_POSTGRES_URL: database = '' } =
        environment ?? {};
      const hosts = log
        .replace(/^esdb:\/\/|\?.*$/g, '')
        .split(',')
        .map((host) => host.split(':')[0] ?? '');
      const servers = [...hosts, new URL(database).hostname];
      expect([name, servers.filter((host) => !compose.services[host])]).toEqual([name, []]);
    }
  });
});

it('runs a cluster of three nodes that know each other, and a standby projector', () => {
  const compose = composeOf('docker-compose.cluster.yml');
  const nodes = Object.entries(compose.services).filter(([name]) => name.startsWith('eventstore-'));
  expect(nodes).toHaveLength(3);
  for (const [name, { environment }] of nodes) {
    const others = nodes.map(([other]) => other).filter((other) => other !== name);
    expect(environment?.EVENTSTORE_GOSSIP_SEED).toBe(others.map((other) => `${other}:2113`).join(','));
    expect(environment?.EVENTSTORE_CLUSTER_SIZE).toBe('3');
  }
  expect(rolesIn(compose).filter((roles) => roles.split(',').includes('projector'))).toHaveLength(2);
});

describe('Dockerfile', () => {
  const text = textOf('Dockerfile');
  const final = text.slice(text.lastIndexOf('\nFROM '));

  it('builds in one stage and runs in another, as an unprivileged user, with a health check', () => {
    expect(text.match(/^FROM /gm)).toHaveLength(2);
    expect(final).toContain('\nUSER node\n');
    expect(final.indexOf('USER node')).toBeGreaterThan(final.lastIndexOf('COPY'));
    expect(final).toMatch(/\nHEALTHCHECK [\s\S]*\/health\/live/);
  });

  it('copies the manifest of each workspace before it installs', () => {
    const { workspaces }: { workspaces: readonly string[] } = JSON.parse(textOf('package.json'));
    const before = text.slice(0, text.indexOf('RUN npm ci'));
    for (const folder of workspaces) expect(before).toContain(`COPY ${folder}/package.json ${folder}/\n`);
  });

  it('contains no secrets, and copies its program', () => {
    expect(text).not.toMatch(/PASSWORD|SECRET|API_KEY/);
    const { files }: { files: readonly string[] } = JSON.parse(textOf('package.json'));
    // Programs do not use the library, and of the samples only the demo's session.
    const run = files.filter((folder) => folder !== 'dist/package' && folder !== 'samples');
    for (const path of [...run, 'node_modules', 'samples/agent-session.json'])
      expect(final).toContain(`/app/${path} `);
  });
});

describe('Grafana dashboard', () => {
  type Dashboard = {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const dashboard: Dashboard = JSON.parse(textOf('ops/grafana/palimpsest.json'));
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

  it('queries existing metrics, and all of Palimpsest’s own', async () => {
    const metrics = new Metrics();
    const text = await metrics.text();
    const known = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    );
    const named = queries.flatMap((query) => query.match(/\b(?:palimpsest|process|nodejs)_\w+/g) ?? []);
    const baseOf = (name: string): string => {
      const base = name.replace(/_(bucket|count|sum)$/, '');
      return known.get(base) === 'histogram' ? base : name;
    };
    expect(named.map(baseOf).filter((name) => !known.has(name))).toEqual([]);
    const own = [...known.keys()].filter((name) => name.startsWith('palimpsest_'));
    expect(own.filter((name) => !named.map(baseOf).includes(name))).toEqual([]);
  });
});
