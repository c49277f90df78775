// An agent of Mastra that reads a long report. Each argument is a turn of the user.
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { palimpsest } from '@palimpsest/adapters/mastra';
import { z } from 'zod';
import { readPage } from './report.js';

const memory = palimpsest({ session: process.env.SESSION ?? 'reader', window: 16_000 });
const agent = new Agent({
  id: 'reader',
  name: 'Reader',
  instructions: 'You read a report page by page.',
  model: { id: 'openai/gpt-5.1', url: process.env.OPENAI_BASE_URL, apiKey: process.env.OPENAI_API_KEY },
  tools: {
    read_page: createTool({
      id: 'read_page',
      description: 'Reads a page of the report',
      inputSchema: z.object({ page: z.number() }),
      execute: async ({ page }) => readPage(page),
    }),
  },
  inputProcessors: [memory],
});

const messages: Parameters<typeof agent.generate>[0] & unknown[] = [];
for (const content of process.argv.slice(2)) {
  messages.push({ role: 'user', content });
  const { text, response } = await agent.generate(messages, { maxSteps: 99 });
  messages.push(...(response.messages ?? []));
  process.stdout.write(`${text}\n`);
}
await memory.flush();
