// An agent of pi that reads a long report. Each argument is a turn of the user.
import * as pi from '@earendil-works/pi-coding-agent';
import { palimpsest } from '@palimpsest/adapters/pi';
import { Type } from 'typebox';
import { readPage } from './report.js';

const cwd = process.cwd();
const memory = palimpsest({ session: process.env.SESSION ?? 'reader', window: 16_000 });
const resourceLoader = new pi.DefaultResourceLoader({
  ...{ cwd, agentDir: pi.getAgentDir() },
  extensionFactories: [memory],
});
await resourceLoader.reload();
const readPageTool = pi.defineTool({
  name: 'read_page',
  label: 'Read page',
  description: 'Reads a page of the report',
  parameters: Type.Object({ page: Type.Number() }),
  execute: async (_, { page }) => ({ content: [{ type: 'text', text: readPage(page) }], details: {} }),
});

const model = {
  ...{ provider: 'openai', id: 'gpt-5.1', name: 'GPT-5.1', api: 'openai-responses' },
  baseUrl: process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
  ...{ reasoning: true, input: ['text' as const], contextWindow: 400_000, maxTokens: 128_000 },
  cost: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
};
const { session } = await pi.createAgentSession({
  model,
  sessionManager: pi.SessionManager.inMemory(cwd),
  ...{ cwd, resourceLoader, customTools: [readPageTool], tools: ['read_page'] },
});
for (const prompt of process.argv.slice(2)) {
  await session.prompt(prompt);
  process.stdout.write(`${session.getLastAssistantText()}\n`);
}
await memory.flush();
session.dispose();
