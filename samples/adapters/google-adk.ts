// An agent of Google's ADK that reads a long report. Each argument is a turn of the user.
import { FunctionTool, InMemoryRunner, LlmAgent, LogLevel, setLogLevel } from '@google/adk';
import { palimpsest } from '@palimpsest/adapters/google-adk';
import { z } from 'zod';
import { readPage } from './report.js';

setLogLevel(LogLevel.ERROR);
const memory = palimpsest({ session: process.env.SESSION ?? 'reader', window: 16_000 });
const readPageTool = new FunctionTool({
  name: 'read_page',
  description: 'Reads a page of the report',
  parameters: z.object({ page: z.number() }),
  execute: ({ page }) => readPage(page),
});
const agent = new LlmAgent({
  name: 'reader',
  model: 'gemini-2.5-flash',
  instruction: 'You read a report page by page.',
  tools: [readPageTool],
  ...memory.callbacks,
});

const appName = 'report';
const userId = 'user';
const runner = new InMemoryRunner({ agent, appName });
const { id: sessionId } = await runner.sessionService.createSession({ appName, userId });
for (const text of process.argv.slice(2)) {
  const newMessage = { role: 'user', parts: [{ text }] };
  let answer = '';
  for await (const { content } of runner.runAsync({ userId, sessionId, newMessage }))
    answer = content?.parts?.map((part) => part.text ?? '').join('') || answer;
  process.stdout.write(`${answer}\n`);
}
await memory.flush();
