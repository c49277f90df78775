// An agent of LangChain that reads a long report. Each argument is a turn of the user.
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { palimpsest } from '@palimpsest/adapters/langchain';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { readPage } from './report.js';

const memory = palimpsest({ window: 16_000 });
const agent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-5.1' }),
  systemPrompt: 'You read a report page by page.',
  tools: [
    tool(({ page }) => readPage(page), {
      name: 'read_page',
      description: 'Reads a page of the report',
      schema: z.object({ page: z.number() }),
    }),
  ],
  middleware: [memory],
  checkpointer: new MemorySaver(),
});

const config = { configurable: { thread_id: process.env.SESSION ?? 'reader' }, recursionLimit: 99 };
for (const content of process.argv.slice(2)) {
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content }] }, config);
  process.stdout.write(`${messages.at(-1)?.text}\n`);
}
await memory.flush();
