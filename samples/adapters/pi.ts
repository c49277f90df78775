// An agent of pi that reads a long report. Each argument is a turn of the user.
import { getModel } from '@mariozechner/pi-ai';
import {
  createAgentSession,
  DefaultResourceLoader,
  defineTool,
  getAgentDir,
  SessionManager,
} from '@mariozechner/pi-coding-agent';
import { palimpsest } from '@palimpsest/adapters/pi';
import { Type } from 'typebox';
import { readPage } from './report.js';

const cwd = process.cwd();
const memory = palimpsest({ session: process.env.SESSION ?? 'reader', window: 16_000 });
const resourceLoader = new DefaultResourceLoader({
  ...{ cwd, agentDir: getAgentDir() },
  extensionFactories: [memory],
});
await resourceLoader.reload();
const readPageTool = defineTool({
  name: 'read_page',
  label: 'Read page',
  description: 'Reads a page of the report',
  parameters: Type.Object({ page: Type.Number() }),
  execute: async (_, { page }) => ({ content: [{ type: 'text', text: readPage(page) }], details: {} }),
});

const baseUrl = process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1';
const { session } = await createAgentSession({
  model: { ...getModel('openai', 'gpt-5.1'), baseUrl },
  sessionManager: SessionManager.inMemory(cwd),
  ...{ cwd, resourceLoader, customTools: [readPageTool], tools: ['read_page'] },
});
for (const prompt of process.argv.slice(2)) {
  await session.prompt(prompt);
  process.stdout.write(`${session.getLastAssistantText()}\n`);
}
await memory.flush();
session.dispose();
