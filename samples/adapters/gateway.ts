// An agent without an adapter: its base URL is Palimpsest's gateway. Each argument is a turn of the user.
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type ModelMessage, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { readPage } from './report.js';

const { PALIMPSEST_URL = 'http://127.0.0.1:8420', PALIMPSEST_API_KEY = '', SESSION = 'reader' } = process.env;
const openai = createOpenAI({
  baseURL: `${PALIMPSEST_URL}/gateway/openai/v1`,
  headers: {
    'x-palimpsest-key': PALIMPSEST_API_KEY,
    'x-palimpsest-session': SESSION,
    'x-palimpsest-window': '16000',
    'x-palimpsest-ladder': 'truncate',
  },
});
const model = openai('gpt-5.1');
const tools = {
  read_page: tool({
    description: 'Reads a page of the report',
    inputSchema: z.object({ page: z.number() }),
    execute: async ({ page }) => readPage(page),
  }),
};

const messages: ModelMessage[] = [];
for (const content of process.argv.slice(2)) {
  messages.push({ role: 'user', content });
  const system = 'You read a report page by page.';
  const { text, response } = await generateText({
    model,
    system,
    messages,
    tools,
    stopWhen: stepCountIs(99),
  });
  messages.push(...response.messages);
  process.stdout.write(`${text}\n`);
}
