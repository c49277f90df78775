import type { PalimpsestClient } from '@app/client';
import { answer, OpenAiServer, type RecordedRequest, type Reply } from '@app/testing/providers';
import type { Installed } from '../install.js';
import { bundleSample, runSample } from '../run-sample.js';
import { OVERSIZED, PROMPTS, readingModel } from './scenario.js';

/** The model of all runs, with a window of 16,000 tokens. */
export class Model {
  private constructor(
    readonly server: OpenAiServer,
    private readonly script: { next: () => Reply },
  ) {}

  static async start(): Promise<Model> {
    const script = { next: readingModel() };
    const windows = { 'gpt-5.1': 16_000 };
    return new Model(await OpenAiServer.start({ script: async () => script.next(), windows }), script);
  }

  /** Forgets all requests, and answers the next ones with `script`. */
  begin(script: () => Reply): void {
    this.server.forget();
    this.script.next = script;
  }
}

export type Stage = {
  readonly model: Model;
  readonly client: PalimpsestClient;
  readonly url: string;
  readonly apiKey: string;
};
/** What an agent has done in the scenario. */
export type Played = {
  readonly client: PalimpsestClient;
  readonly session: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: readonly RecordedRequest[];
  /** The run of another agent whose first input is twice the window. */
  readonly oversized: { readonly stdout: string; readonly stderr: string };
};

/** Runs the sample of a framework through the scenario. */
export const play = async (installed: Installed, { model, client, url, apiKey }: Stage): Promise<Played> => {
  const program = await bundleSample(installed);
  const session = `complaints-${installed.framework.name}`;
  const run = (name: string, prompts: readonly string[]) =>
    runSample(installed, program, prompts, {
      ...{ PALIMPSEST_URL: url, PALIMPSEST_API_KEY: apiKey, SESSION: name },
      ...{ OPENAI_API_KEY: 'any', OPENAI_BASE_URL: `${model.server.url}/v1` },
    });
  model.begin(readingModel());
  const { stdout, stderr } = await run(session, PROMPTS);
  const requests = [...model.server.requests];
  model.begin(() => answer('It is read.'));
  const oversized = await run(`${session}-oversized`, [OVERSIZED]);
  return { client, session, stdout, stderr, requests, oversized };
};
