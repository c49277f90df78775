import { PalimpsestClient } from '@app/client';
import { startEmbedded } from '@app/deployments';
import { answer, fail, type RecordedRequest, type Reply } from '@app/testing/providers';
import type { Installed } from '../install.js';
import { type ModelServer, modelEnv, startModelServer } from '../model-server.js';
import type { RealAgent } from '../real-agents.js';
import { bundleSample, runSample, type SampleRun } from '../run-sample.js';
import { isOfAgent, type OwnCompaction } from './own.js';
import { fileOf, runAgent } from './run-agent.js';
import {
  oversizedModel,
  oversizedPrompts,
  PROMPTS,
  pageCalls,
  RULES,
  readingModel,
  WINDOW,
} from './scenario.js';

/** A run of a sample, and the requests that the model received. */
export type Run = SampleRun & { readonly session: string; readonly requests: readonly RecordedRequest[] };
/** Record of an agent's run of the scenario. */
export type Played = Run & {
  readonly client: PalimpsestClient;
  /** Window of the model and of the session, in tokens. */
  readonly window: number;
  /** The run of another agent whose first input is twice the window, on a service whose summarizer is down. */
  readonly oversized: Run & { readonly client: PalimpsestClient };
};

/** Record of the same work with a framework's own compaction, which the requests alone show. */
export type PlayedAlone = Run & {
  readonly oversized: Run;
  /** Returns the pages that the model called for in its first answers. */
  readonly pages: (answers: number) => readonly number[];
};

type Service = { readonly url: string; readonly adminKey: string; readonly stop: () => Promise<unknown> };
/** Runs the prompts, one turn each, with environment variables. */
type Runner = (prompts: readonly string[], env: Readonly<Record<string, string>>) => Promise<SampleRun>;

/** The model and two services, on which frameworks play the scenario one after another. */
export class Stage {
  private script: readonly Reply[] = [];
  private step = 0;
  /** Whether the model writes the summaries of a framework that compacts by itself. */
  private summaries: 'none' | 'written' | 'refused' = 'none';

  private constructor(
    private readonly servers: Readonly<Record<'openAi' | 'anthropic' | 'google', ModelServer>>,
    private readonly service: Service,
    private readonly withoutSummarizer: Service,
    private readonly scale: number,
  ) {}

  /** @param scale as a framework's `scale`: the stage is for frameworks with this one. */
  static async open(scale = 1): Promise<Stage> {
    const next = async (request: RecordedRequest): Promise<Reply> => stage.next(request);
    const [openAi, anthropic, google] = [
      await startModelServer({}, next, WINDOW * scale),
      await startModelServer({ protocol: 'anthropic' }, next, WINDOW * scale),
      await startModelServer({ protocol: 'google' }, next, WINDOW * scale),
    ];
    const gateway = { PALIMPSEST_GATEWAY_OPENAI: `${openAi.url}/v1` };
    const down = {
      ...{ PALIMPSEST_SUMMARIZER: 'anthropic:claude-haiku-4-5', PALIMPSEST_ANTHROPIC_API_KEY: 'any' },
      PALIMPSEST_ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    };
    const services = [await startEmbedded(gateway), await startEmbedded({ ...gateway, ...down })] as const;
    const stage = new Stage({ openAi, anthropic, google }, ...services, scale);
    return stage;
  }

  /** Runs the sample of a framework through the scenario. */
  async play(installed: Installed): Promise<Played> {
    const program = await bundleSample(installed);
    const { name, tool } = installed.framework;
    const session = `complaints-${name}`;
    const runner: Runner = (prompts, env) => runSample(installed, program, prompts, env);
    const read = pageCalls(tool);
    const run = await this.run(installed, runner, this.service, session, PROMPTS, readingModel(read));
    const oversized = await this.run(
      ...([installed, runner, this.withoutSummarizer, `${session}-oversized`] as const),
      ...([oversizedPrompts(this.scale), oversizedModel(read)] as const),
    );
    return this.played(run, oversized);
  }

  /** Runs an agent of the command line through the scenario, started by `palimpsest run`. Its sessions have its own names. */
  async playAgent(agent: RealAgent, installed: Installed): Promise<Played> {
    const window = WINDOW * this.scale;
    const runner: Runner = (prompts, env) => runAgent({ agent, installed, window }, prompts, env);
    const read = (page: number) => agent.print(fileOf(page), `call_${page}`);
    const run = await this.run(installed, runner, this.service, '', PROMPTS, readingModel(read));
    const oversized = await this.run(
      ...([installed, runner, this.withoutSummarizer, ''] as const),
      ...([oversizedPrompts(this.scale), oversizedModel(read)] as const),
    );
    const named = async (ran: Run, service: Service): Promise<Run> => {
      for await (const { session } of clientOf(service).sessions.list({ agent: agent.run }))
        return { ...ran, session };
      throw new Error(`${agent.run} has no session: ${ran.stderr.slice(-500)}`);
    };
    return this.played(await named(run, this.service), await named(oversized, this.withoutSummarizer));
  }

  private played(run: Run, oversized: Run): Played {
    return {
      ...run,
      client: clientOf(this.service),
      window: WINDOW * this.scale,
      oversized: { ...oversized, client: clientOf(this.withoutSummarizer) },
    };
  }

  /** Runs the sample of a framework through the scenario, with the framework's own compaction in the place of the adapter. */
  async playAlone(installed: Installed, { edit }: OwnCompaction): Promise<PlayedAlone> {
    const adapters = 'test/support/frameworks/own';
    const program = await bundleSample(installed, { name: 'own', adapters, ...(edit && { edit }) });
    const { name, tool } = installed.framework;
    const session = `own-${name}`;
    const runner: Runner = (prompts, env) => runSample(installed, program, prompts, env);
    const read = pageCalls(tool);
    const script = readingModel(read);
    this.summaries = 'written';
    const run = await this.run(installed, runner, this.service, session, PROMPTS, script);
    this.summaries = 'refused';
    const oversized = await this.run(
      ...([installed, runner, this.service, `${session}-oversized`] as const),
      ...([oversizedPrompts(this.scale), oversizedModel(read)] as const),
    );
    this.summaries = 'none';
    const pages = (answers: number) =>
      [...JSON.stringify(script.slice(0, answers)).matchAll(/"page":(\d+)/g)].map(([, page]) => Number(page));
    return { ...run, oversized, pages };
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.withoutSummarizer.stop();
    for (const server of Object.values(this.servers)) await server.close();
  }

  private async run(
    { framework: { protocol } }: Installed,
    runner: Runner,
    { url, adminKey }: Service,
    session: string,
    prompts: readonly string[],
    script: readonly Reply[],
  ): Promise<Run> {
    const server = this.servers[protocol ?? 'openAi'];
    server.forget();
    this.script = script;
    this.step = 0;
    const env = { PALIMPSEST_URL: url, PALIMPSEST_API_KEY: adminKey, SESSION: session };
    const ran = await runner(prompts, { ...env, ...modelEnv(server) });
    return { ...ran, session, requests: server.requests.filter(({ method }) => method === 'POST') };
  }

  private next(request: RecordedRequest): Reply {
    // The best summary that a model can write repeats each rule that it is shown.
    if (this.summaries !== 'none' && !isOfAgent(request))
      return this.summaries === 'refused'
        ? fail('server-error')
        : answer(['Rules of the user:', ...RULES.filter((rule) => request.text.includes(rule))].join('\n'));
    this.step += 1;
    return this.script[this.step - 1] ?? answer('There is no more to do.');
  }
}

const clientOf = ({ url, adminKey: apiKey }: Service): PalimpsestClient =>
  new PalimpsestClient({ url, apiKey });
