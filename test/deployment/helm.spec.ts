import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { JsonObject } from '@app/kernel';
import { SETTINGS } from '@app/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { installLocked } from '../support/frameworks/install.js';
import { chartText, type Manifest, renderChart, valuesWith } from './support/chart.js';

const run = promisify(execFile);
const TOOLS = fileURLToPath(new URL('../../tools/helm/', import.meta.url));

const REQUIRED = {
  eventStore: { url: 'esdb://eventstore:2113?tls=true' },
  postgres: { url: 'postgres://palimpsest:secret@postgres:5432/palimpsest' },
  secrets: { apiKey: 'pal_an_admin_key_of_the_operator', secretsKey: 'k' },
};
const EVERYTHING = {
  eventStore: REQUIRED.eventStore,
  postgres: REQUIRED.postgres,
  image: { tag: '1.2.3' },
  imagePullSecrets: [{ name: 'registry' }],
  secrets: { ...REQUIRED.secrets, anthropicApiKey: 'a', openaiApiKey: 'o' },
  settings: { PALIMPSEST_SUMMARIZER: 'anthropic:claude-haiku-4-5,extractive', PALIMPSEST_LOG_LEVEL: 'debug' },
  defaults: {
    podAnnotations: { team: 'agents' },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'spot', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
  },
  compactor: { replicas: 5, resources: { limits: { memory: '2Gi' } } },
  api: { autoscaling: { enabled: true } },
  service: { annotations: { 'example.com/zone': 'a' } },
  ingress: { enabled: true, className: 'nginx', host: 'palimpsest.example.com', tlsSecret: 'certificate' },
  podMonitor: { enabled: true },
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn' } },
};

type Container = {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources: JsonObject;
};
type Deployment = {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly spec: { readonly containers: readonly [Container] } };
  };
};
/** The schemas of Kubernetes verify their shape. */
const deploymentsOf = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Deployment') as unknown as readonly Deployment[];
const ofKind = (manifests: readonly Manifest[], wanted: string): readonly Manifest[] =>
  manifests.filter(({ kind }) => kind === wanted);
const namesIn = (value: unknown): readonly string[] =>
  JSON.stringify(value).match(/\b(?:PALIMPSEST|OTEL)_[A-Z_]+/g) ?? [];

describe('Helm chart', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-chart-'));
    await installLocked(TOOLS);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  type Checked = readonly [given: JsonObject, manifests: readonly Manifest[]];
  /** Returns the faults of each. */
  const findingsOf = async (cases: readonly Checked[]): Promise<readonly (readonly string[])[]> => {
    const file = join(folder, 'chart.json');
    const schema = JSON.parse(chartText('values.schema.json'));
    const given = cases.map(([values, manifests]) => ({ schema, values: valuesWith(values), manifests }));
    await writeFile(file, JSON.stringify(given));
    return JSON.parse((await run(process.execPath, [join(TOOLS, 'validate.mjs'), file])).stdout);
  };
  /** Excludes the Prometheus operator's resources, which Kubernetes' schemas lack. */
  const known = (manifests: readonly Manifest[]): readonly Manifest[] =>
    manifests.filter(({ kind }) => kind !== 'PodMonitor');

  it('renders objects that Kubernetes accepts: with required values, with every option, with an existing Secret', async () => {
    const cases = [REQUIRED, EVERYTHING, { existingSecret: 'palimpsest-settings' }];
    const rendered = cases.map((given): Checked => [given, known(renderChart(given))]);
    expect(await findingsOf(rendered)).toEqual([[], [], []]);
  });

  it('is checked by schemas that find invalid objects', async () => {
    const [manifest] = ofKind(renderChart(REQUIRED), 'Service');
    const service = manifest as unknown as { readonly spec: JsonObject };
    const unknownField = { ...manifest, spec: { ...service.spec, selectors: {} } } as unknown as Manifest;
    const wrongType = {
      ...manifest,
      spec: { ...service.spec, ports: [{ port: 'x' }] },
    } as unknown as Manifest;
    const [unknown, wrong] = await findingsOf([
      [REQUIRED, [unknownField]],
      [REQUIRED, [wrongType]],
    ]);
    expect(unknown?.join()).toContain('selectors');
    expect(wrong).not.toEqual([]);
  });

  it.each([
    ['without an event store', { ...REQUIRED, eventStore: { url: '' } }, 'eventStore.url is required'],
    ['without a database', { ...REQUIRED, postgres: { url: '' } }, 'postgres.url is required'],
    ['without an API key', { ...REQUIRED, secrets: {} }, 'secrets.apiKey is required'],
    ['with two sources of secrets', { ...REQUIRED, existingSecret: 'x' }, 'set one or the other'],
    [
      'with an ingress without a host',
      { ...REQUIRED, ingress: { enabled: true } },
      'ingress.host is required',
    ],
  ])('rejects values %s', (_, given, message) => {
    expect(() => renderChart(given)).toThrow(message);
  });

  it('has a schema that rejects wrong values', async () => {
    const wrong: readonly (readonly [values: JsonObject, message: string])[] = [
      [{ replicas: 3 }, 'additional properties'],
      [{ api: { replicas: '3' } }, 'must be integer'],
      [{ settings: { palimpsest_log: 'x' } }, 'must match pattern'],
      [{ eventStore: { url: 'http://eventstore:2113' } }, 'must match pattern'],
      [{ secrets: { apiKey: 'short' } }, 'must match pattern'],
    ];
    const found = await findingsOf(wrong.map(([given]) => [given, []]));
    for (const [at, [given, message]] of wrong.entries())
      expect([given, found[at]?.join()]).toEqual([given, expect.stringContaining(message)]);
  });

  it('uses only existing settings', () => {
    const manifests = renderChart(EVERYTHING);
    const names = new Set(manifests.flatMap(namesIn));
    expect(names.size).toBeGreaterThan(8);
    expect([...names].filter((name) => !SETTINGS.includes(name))).toEqual([]);
  });

  it('runs the same roles per process as docker-compose.cluster.yml', () => {
    const cluster: { readonly services: Readonly<Record<string, { readonly environment?: JsonObject }>> } =
      parse(chartText('../../../docker-compose.cluster.yml'), { merge: true });
    const roles = Object.values(cluster.services).flatMap(
      ({ environment }) => environment?.PALIMPSEST_ROLES ?? [],
    );
    const deployed = deploymentsOf(renderChart(REQUIRED)).map(({ spec }) => {
      const { env } = spec.template.spec.containers[0];
      return env.find(({ name }) => name === 'PALIMPSEST_ROLES')?.value;
    });
    expect(deployed.toSorted()).toEqual([...new Set(roles)].toSorted());
  });

  it('exposes the port of the image, and allows overriding the defaults', () => {
    const deployments = deploymentsOf(renderChart(EVERYTHING));
    const port = /^EXPOSE (\d+)$/m.exec(chartText('../../../Dockerfile'))?.[1];
    const containers = deployments.map(({ spec }) => spec.template.spec.containers[0]);
    expect(containers.flatMap(({ ports }) => ports.map(({ containerPort }) => `${containerPort}`))).toEqual(
      deployments.map(() => port),
    );
    const memory = containers.map(({ resources }) => JSON.stringify(resources.limits));
    expect(memory).toEqual(['{"memory":"1Gi"}', '{"memory":"2Gi"}', '{"memory":"1Gi"}']);
    expect(deployments.map(({ spec }) => spec.replicas)).toEqual([undefined, 5, 2]);
  });

  it('has secrets in the Secret only', () => {
    const others = renderChart(EVERYTHING).filter(({ kind }) => kind !== 'Secret');
    expect(JSON.stringify(others)).not.toContain(REQUIRED.secrets.apiKey);
    expect(JSON.stringify(others)).not.toContain('palimpsest:secret');
  });

  it('creates only the requested objects', () => {
    const kinds = new Set(renderChart(REQUIRED).map(({ kind }) => kind));
    for (const kind of ['Ingress', 'HorizontalPodAutoscaler', 'PodMonitor'])
      expect(kinds.has(kind)).toBe(false);
    expect(ofKind(renderChart({ existingSecret: 'x' }), 'Secret')).toEqual([]);
    const all = new Set(renderChart(EVERYTHING).map(({ kind }) => kind));
    for (const kind of ['Ingress', 'HorizontalPodAutoscaler', 'PodMonitor', 'Secret'])
      expect(all.has(kind)).toBe(true);
  });
});
