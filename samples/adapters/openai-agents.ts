// An agent of the OpenAI Agents SDK that reads a long report. Each argument is a turn of the user.
import { Agent, Runner, setTracingDisabled, tool } from '@openai/agents';
import { palimpsest } from '@palimpsest/adapters/openai-agents';
import { z } from 'zod';
import { readPage } from './report.js';

setTracingDisabled(true);
const memory = palimpsest({ session: process.env.SESSION ?? 'reader', window: 16_000 });
const agent = new Agent({
  name: 'Reader',
  model: 'gpt-5.1',
  instructions: 'You read a report page by page.',
  tools: [
    tool({
      name: 'read_page',
      description: 'Reads a page of the report',
      parameters: z.object({ page: z.number() }),
      execute: async ({ page }) => readPage(page),
    }),
  ],
});

const runner = new Runner({ modelProvider: memory.modelProvider });
for (const prompt of process.argv.slice(2)) {
  const { finalOutput } = await runner.run(agent, prompt, { session: memory.session, maxTurns: 99 });
  process.stdout.write(`${finalOutput}\n`);
}
await memory.flush();
