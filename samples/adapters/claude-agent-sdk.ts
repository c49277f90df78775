// An agent of the Claude Agent SDK that reads a long report. Each argument is a turn of the user.
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { palimpsest } from '@palimpsest/adapters/claude-agent-sdk';
import { z } from 'zod';
import { readPage } from './report.js';

const { SESSION = 'reader' } = process.env;
const memory = await palimpsest({ session: SESSION, window: 16_000 });
const report = createSdkMcpServer({
  name: 'report',
  tools: [
    tool('read_page', 'Reads a page of the report', { page: z.number() }, async ({ page }) => ({
      content: [{ type: 'text', text: readPage(page) }],
    })),
  ],
});

let resume: string | undefined;
for (const prompt of process.argv.slice(2)) {
  const options = {
    model: 'claude-opus-4-6',
    systemPrompt: 'You read a report page by page.',
    mcpServers: { report },
    allowedTools: ['mcp__report__read_page'],
    tools: [],
    settingSources: [],
    env: memory.env,
    sessionStore: memory.sessionStore,
    ...(resume !== undefined && { resume }),
  };
  for await (const message of query({ prompt, options })) {
    if (message.type !== 'result') continue;
    resume = message.session_id;
    process.stdout.write(`${message.subtype === 'success' ? message.result : message.subtype}\n`);
  }
}
await memory.flush();
memory.close();
