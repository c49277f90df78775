import { PalimpsestClient } from '@app/client';
import { startEmbedded } from '@app/deployments';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FRAMEWORKS } from '../support/frameworks/frameworks.js';
import { install } from '../support/frameworks/install.js';
import { bundleSample, runSample } from '../support/frameworks/run-sample.js';

/** Its Base64 would fill the window, if it were counted as text. */
const COMMON = `
const bytes = Buffer.alloc(300_000);
const pdf = bytes.toString('base64');
const png = 'iVBORw0KGgo=';
const settings = { session: process.env.SESSION, window: 200_000 };
`;

/** Programs that send files in each form of their framework, and print the kinds of parts that the model receives. */
const PROGRAMS = {
  'vercel-ai': `
import { generateText, stepCountIs, tool, wrapLanguageModel } from 'ai';
import { z } from 'zod';
import { palimpsest } from '@palimpsest/adapters/vercel-ai';
${COMMON}
const seen = [];
const call = (toolCallId, input) => ({ type: 'tool-call', toolCallId, toolName: 'look', input });
// The arguments of the first call are no object.
const answers = [call('c1', '[1]'), call('c2', '{}'), { type: 'text', text: 'Seen.' }];
const model = {
  specificationVersion: 'v3', provider: 'fake', modelId: 'fake', supportedUrls: {},
  doGenerate: async ({ prompt }) => {
    seen.push(...prompt.slice(0, 1).flatMap(({ content }) => content.map(({ type }) => type)));
    const part = answers.shift();
    return {
      content: [part],
      finishReason: { unified: part.type === 'text' ? 'stop' : 'tool-calls', raw: 'any' },
      usage: { inputTokens: { total: 20 }, outputTokens: { total: 3 } },
      warnings: [],
    };
  },
};
const look = tool({
  inputSchema: z.object({}),
  execute: async () => 'done',
  toModelOutput: () => ({
    type: 'content',
    value: [
      { type: 'image-data', data: png, mediaType: 'image/png' },
      { type: 'file-data', data: pdf, mediaType: 'application/pdf' },
    ],
  }),
});
await generateText({
  model: wrapLanguageModel({ model, middleware: palimpsest(settings) }),
  tools: { look },
  stopWhen: stepCountIs(5),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'file', data: bytes, mediaType: 'application/pdf', filename: 'a.pdf' },
        { type: 'image', image: png },
      ],
    },
  ],
});
console.log(seen.slice(0, 3).join(' '));
`,
  langchain: `
import { HumanMessage } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { createAgent } from 'langchain';
import { palimpsest } from '@palimpsest/adapters/langchain';
${COMMON}
let seen = [];
class Model extends FakeListChatModel {
  bindTools() { return this; }
  async _generate(messages, ...rest) {
    seen = messages.map(({ content }) => content.map(({ type }) => type).join('+'));
    return super._generate(messages, ...rest);
  }
}
const agent = createAgent({ model: new Model({ responses: ['Seen.'] }), tools: [], middleware: [palimpsest(settings)] });
await agent.invoke({
  messages: [
    new HumanMessage({ content: [{ type: 'image', mimeType: 'image/png', data: png }] }),
    new HumanMessage({ content: [{ type: 'image_url', image_url: 'data:image/png;base64,' + png }] }),
    new HumanMessage({ content: [{ type: 'text', text: 'What is it?' }, { type: 'file', mimeType: 'application/pdf', data: pdf }] }),
  ],
});
console.log(seen.join(' '));
`,
  'openai-agents': `
import { Agent, Runner, Usage } from '@openai/agents';
import { palimpsest } from '@palimpsest/adapters/openai-agents';
${COMMON}
let seen = [];
const said = (content) => ({ type: 'message', role: 'assistant', status: 'completed', content });
// The first answer is empty.
const answers = [said([])];
const seenIt = said([{ type: 'output_text', text: 'Seen.' }]);
const model = {
  getResponse: async ({ input }) => {
    seen = input.map(({ content }) => [content].flat().map(({ type }) => type ?? 'text').join('+'));
    const usage = new Usage({ requests: 1, inputTokens: 20, outputTokens: 3, totalTokens: 23 });
    return { usage, output: [answers.shift() ?? seenIt], responseId: 'any' };
  },
};
const memory = palimpsest(settings, { getModel: async () => model });
const runner = new Runner({ modelProvider: memory.modelProvider, tracingDisabled: true });
const agent = new Agent({ name: 'looker', model: 'fake' });
const parts = [
  { type: 'input_text', text: 'What is it?' },
  { type: 'input_file', file: 'data:application/pdf;base64,' + pdf, filename: 'a.pdf' },
  { type: 'input_image', image: 'data:image/png;base64,' + png },
];
await runner.run(agent, [{ role: 'user', content: parts }], { session: memory.session });
await runner.run(agent, 'Well?', { session: memory.session });
await memory.flush();
console.log(seen.join(' '));
`,
};

const PDF = { type: 'base64', media_type: 'application/pdf', data: 400_000 };
const PNG = { type: 'base64', media_type: 'image/png', data: 12 };
const TEXT = { type: 'text', text: 'What is it?' };
const SEEN = [{ type: 'text', text: 'Seen.' }];

let service: Awaited<ReturnType<typeof startEmbedded>>;
beforeAll(async () => {
  service = await startEmbedded();
});
afterAll(() => service.stop());

it.each([
  [
    'vercel-ai',
    'text file file',
    [
      [TEXT, { type: 'document', source: PDF, title: 'a.pdf' }, { type: 'image', source: PNG }],
      [{ type: 'tool_use', id: 'c1', name: 'look', input: { _raw: '[1]' } }],
      [
        {
          ...{ type: 'tool_result', tool_use_id: 'c1', is_error: true },
          content: expect.stringContaining('Invalid input'),
        },
      ],
      [{ type: 'tool_use', id: 'c2', name: 'look', input: {} }],
      [
        {
          type: 'tool_result',
          tool_use_id: 'c2',
          content: [
            { type: 'image', source: PNG },
            { type: 'document', source: PDF },
          ],
        },
      ],
      SEEN,
    ],
  ],
  [
    'langchain',
    'image image_url text+file',
    [
      [{ type: 'image', source: PNG }],
      [{ type: 'image', source: PNG }],
      [TEXT, { type: 'document', source: PDF }],
      SEEN,
    ],
  ],
  [
    'openai-agents',
    'input_text+input_file+input_image output_text text',
    [
      [TEXT, { type: 'document', source: PDF, title: 'a.pdf' }, { type: 'image', source: PNG }],
      SEEN,
      [{ type: 'text', text: 'Well?' }],
      SEEN,
    ],
  ],
] as const)(
  '%s hands images and files to the model, and records them as such',
  async (name, seen, blocks) => {
    const framework = FRAMEWORKS.find((one) => one.name === name);
    const installed = framework && (await install(framework));
    if (!installed) return;
    const program = await bundleSample(installed, { name: 'files', edit: () => PROGRAMS[name] });
    const env = { PALIMPSEST_URL: service.url, PALIMPSEST_API_KEY: service.adminKey, SESSION: name };
    const { stdout, stderr } = await runSample(installed, program, [], { ...env, OPENAI_API_KEY: 'any' });
    expect(stdout === '' ? stderr : stdout).toBe(`${seen}\n`);
    const recorded = [];
    const client = new PalimpsestClient({ url: service.url, apiKey: service.adminKey });
    for await (const { content } of client.sessions.export(name)) recorded.push(content);
    // The length of a file stands for its bytes.
    const short = JSON.stringify(recorded, (key, value) => (key === 'data' ? value.length : value));
    expect(JSON.parse(short)).toEqual(blocks);
  },
);
