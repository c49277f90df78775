// A plugin of OpenCode that compacts in Palimpsest, and one with a tool that reads a long report.
import { tool } from '@opencode-ai/plugin';
import { palimpsest } from '@palimpsest/adapters/opencode';
import { readPage } from './report.js';

const { SESSION } = process.env;
export const Palimpsest = palimpsest({ window: 16_000, ...(SESSION && { session: SESSION }) });

export const Report = async () => ({
  tool: {
    read_page: tool({
      description: 'Reads a page of the report',
      args: { page: tool.schema.number() },
      execute: async ({ page }) => readPage(page),
    }),
  },
});
