import { ExplainCompaction } from '@app/application';
import { CompactionId } from '@app/kernel';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answering, asData, refIn, text } from '../results.js';
import type { McpSource } from '../source.js';
import { sessionArgument } from './arguments.js';

const input = z.object({
  compaction: z
    .string()
    .min(1)
    .max(200)
    .describe('ID of the compaction, such as "cmp_72e4484fa219988268786200"'),
  session: sessionArgument,
});

/** Registers the tool that explains a compaction. */
export const registerExplain = (server: McpServer, source: McpSource): void => {
  server.registerTool(
    'explain',
    {
      title: 'Explain a compaction',
      description:
        'Explains why a compaction ran, which messages it covers, what it kept and lost, and what it cost, as JSON.',
      inputSchema: input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ compaction, session }) =>
      answering(async () => {
        const ref = refIn(source, session);
        const query = new ExplainCompaction(ref, CompactionId(compaction));
        const explanation = await source.read(query, { tool: 'explain', compaction });
        const content = text(JSON.stringify(explanation));
        return asData(`Compaction ${compaction} of session ${ref.session}.`, [{ label: 'JSON', content }]);
      }),
  );
};
