import { PalimpsestClient } from '@app/client';
import { Link, startEmbedded } from '@app/deployments';
import { answer, call, type Reply } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FRAMEWORKS } from '../support/frameworks/frameworks.js';
import { type Installed, install } from '../support/frameworks/install.js';
import { modelEnv, startModelServer } from '../support/frameworks/model-server.js';
import { bundleSample, runSample } from '../support/frameworks/run-sample.js';

type Deployment = Awaited<ReturnType<typeof startEmbedded>>;
const { PALIMPSEST_FRAMEWORKS: ONLY = '' } = process.env;
const PAGES = 12;
const STEPS = 2 * (PAGES + 1);
/** Two prompts, and each step's answer and result but the last ones of a turn. */
const MESSAGES = 2 * (1 + 2 * PAGES + 1);
const DONE = 'Turn 1 is done.\nTurn 2 is done.\n';
const PROMPTS = ['Read pages 1 to 12.', 'Read pages 13 to 24.'];

/** `PALIMPSEST_FRAMEWORKS` names some of them, or is `all`; by default all that are not extra. */
const chosen = () => {
  if (ONLY === '') return FRAMEWORKS.filter(({ isExtra }) => !isExtra);
  return FRAMEWORKS.filter(({ name }) => ONLY === 'all' || ONLY.split(',').includes(name));
};
const installed: readonly Installed[] = (await Promise.all(chosen().map(install))).filter(
  (one) => one !== undefined,
);
if (ONLY !== '' && installed.length < chosen().length)
  throw new Error(
    `${chosen().length - installed.length} of the frameworks in PALIMPSEST_FRAMEWORKS are not installed`,
  );
process.stderr.write(
  `frameworks: ${installed.map(({ framework, version }) => `${framework.package} ${version}`).join(', ')}\n`,
);

/** Answers like a model that reads 12 pages a turn, one call a request; `before` runs at each request. */
const reading = (tool = 'read_page', before: (step: number) => Promise<void> = async () => {}) => {
  let step = 0;
  return async (): Promise<Reply> => {
    step += 1;
    await before(step);
    const turn = Math.ceil(step / (PAGES + 1));
    const place = step - (turn - 1) * (PAGES + 1);
    if (place > PAGES) return answer(`Turn ${turn} is done.`);
    return answer(call(tool, { page: (turn - 1) * PAGES + place }, `call_${step}`));
  };
};

let service: Deployment;
let client: PalimpsestClient;
beforeAll(async () => {
  service = await startEmbedded();
  client = new PalimpsestClient({ url: service.url, apiKey: service.adminKey });
});
afterAll(() => service.stop());

/** A time during which the service does not answer at this URL. */
type Outage = {
  readonly url: string;
  begin(): Promise<void>;
  end(): Promise<void>;
  stop(): void;
};

const killed = (): Outage => {
  let start = (): void => {};
  const mayStart = new Promise<void>((resolve) => {
    start = resolve;
  });
  let restarted = Promise.resolve();
  return {
    url: service.url,
    begin: () =>
      new Promise<void>((dead) => {
        restarted = service.kill('api', () => {
          dead();
          return mayStart;
        });
      }),
    end: () => {
      start();
      return restarted;
    },
    stop: () => {},
  };
};

const unreachable = async (): Promise<Outage> => {
  const link = await Link.start(Number(new URL(service.url).port));
  return {
    url: `http://127.0.0.1:${link.port}`,
    begin: () => link.close(),
    end: () => link.open(),
    stop: () => link.stop(),
  };
};

describe.each(installed.map((one) => [one.framework.name, one] as const))('adapter of %s', (name, one) => {
  let program: string;
  beforeAll(async () => {
    program = await bundleSample(one);
  });

  const play = async (session: string, before?: (step: number) => Promise<void>, url = service.url) => {
    const model = await startModelServer(one.framework, reading(one.framework.tool, before));
    const env = { PALIMPSEST_URL: url, PALIMPSEST_API_KEY: service.adminKey, SESSION: session };
    const run = await runSample(one, program, PROMPTS, { ...env, ...modelEnv(model) });
    await model.close();
    return { ...run, requests: model.requests };
  };
  /** Each process of the sample may warn once. */
  const warningsIn = (stderr: string): number => {
    const count = stderr.match(/PalimpsestWarning/g)?.length ?? 0;
    return one.framework.processes === 'turn' ? Math.min(1, count) : count;
  };
  const pagesIn = async (session: string) => {
    const results = [];
    for await (const { content } of client.sessions.export(session))
      for (const block of content)
        if (block.type === 'tool_result')
          results.push(Number(/Page (\d+),/.exec(JSON.stringify(block))?.[1]));
    return results;
  };
  const ALL_PAGES = Array.from({ length: 2 * PAGES }, (_, at) => at + 1);

  const expectComplete = async (session: string) => {
    const exported = [];
    for await (const { synthetic, role } of client.sessions.export(session))
      if (!synthetic) exported.push(role);
    expect(exported).toHaveLength(MESSAGES);
    expect(await pagesIn(session)).toEqual(ALL_PAGES);
  };

  it('runs an agent with tools through several compactions', async () => {
    const session = `${name}-run`;
    const { stdout, stderr, code, requests } = await play(session);
    expect({ stdout, code }).toEqual({ stdout: DONE, code: 0 });
    expect(stderr).not.toContain('PalimpsestWarning');
    const view = await client.sessions.get(session);
    expect(view.compactions).toBeGreaterThan(1);
    await expectComplete(session);
    expect(Math.max(...requests.map(({ text }) => text.length))).toBeLessThan(16_000 * 4);
    expect(requests.at(-1)?.text).toContain('conversation-record');
    const paid = [];
    for await (const { type, data } of client.sessions.events(session))
      if (type === 'UsageReported') paid.push(data.requestId);
    expect(new Set(paid).size).toBe(requests.length);
  });

  // One adapter shows it in CI: the mirror is common to all. `PALIMPSEST_FRAMEWORKS=all` shows it for each.
  const inEach = name === 'vercel-ai' || ONLY !== '';
  it.each<[string, () => Outage | Promise<Outage>, number, number]>(
    inEach
      ? [
          ['killed in the middle', killed, 8, 18],
          ['absent until the last request', killed, 1, STEPS],
        ]
      : [['unreachable in the middle', unreachable, 8, 18]],
  )(
    'finishes its job while the service is %s; then the session is complete, once, in order',
    async (_, outageOf, from, to) => {
      const session = `${name}-${from}`;
      const outage = await outageOf();
      const before = async (step: number) => {
        if (step === from) await outage.begin();
        if (step === to) await outage.end();
      };
      const { stdout, stderr, code, requests } = await play(session, before, outage.url);
      outage.stop();
      expect({ stdout, code, requests: requests.length }).toEqual({ stdout: DONE, code: 0, requests: STEPS });
      expect(warningsIn(stderr)).toBe(1);
      await expectComplete(session);
    },
  );

  (inEach ? it : it.skip)('finishes its job without a service', async () => {
    const { stdout, stderr, code, requests } = await play('nowhere', undefined, 'http://127.0.0.1:9');
    expect({ stdout, code, requests: requests.length }).toEqual({ stdout: DONE, code: 0, requests: STEPS });
    expect(warningsIn(stderr)).toBe(1);
  });
});
