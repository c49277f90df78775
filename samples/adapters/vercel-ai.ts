// An agent of the Vercel AI SDK that reads a long report. Each argument is a turn of the user.
import { openai } from '@ai-sdk/openai';
import { palimpsest } from '@palimpsest/adapters/vercel-ai';
import { generateText, type ModelMessage, stepCountIs, tool, wrapLanguageModel } from 'ai';
import { z } from 'zod';
import { readPage } from './report.js';

const memory = palimpsest({ session: process.env.SESSION ?? 'reader', window: 16_000 });
const model = wrapLanguageModel({ model: openai('gpt-5.1'), middleware: memory });
const tools = {
  read_page: tool({
    description: 'Reads a page of the report',
    inputSchema: z.object({ page: z.number() }),
    execute: ({ page }) => readPage(page),
  }),
};

const messages: ModelMessage[] = [];
for (const content of process.argv.slice(2)) {
  messages.push({ role: 'user', content });
  const system = 'You read a report page by page.';
  const result = await generateText({
    model,
    system,
    messages,
    tools,
    stopWhen: stepCountIs(99),
  });
  // All messages of the answer: version 7 of the SDK has those of the last step alone in `response`.
  messages.push(...('responseMessages' in result ? result.responseMessages : result.response.messages));
  process.stdout.write(`${result.text}\n`);
}
await memory.flush();
