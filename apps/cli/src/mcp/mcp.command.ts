import { type SessionRef, ShowSession } from '@app/application';
import type { SessionId } from '@app/kernel';
import type { McpSource } from '@app/mcp';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, sessionId } from '../options.js';
import type { Service } from '../service/service.js';
import { withService } from '../session-run.js';

type Options = GlobalOptions & { readonly session?: SessionId };

/** `palimpsest mcp`: serves one MCP client over stdin and stdout until the client closes stdin. */
export const mcpCommand = (): Command =>
  withNotes(new Command('mcp'), {
    details:
      'Speaks the Model Context Protocol on stdin and stdout until stdin ends. Offers the tools recall, search, context, explain and sessions, and sessions and messages as resources. A service has the same at /mcp.',
    json: 'nothing: the protocol is on stdout',
    examples: ['palimpsest mcp --session main', 'palimpsest mcp --url http://127.0.0.1:8420'],
    guide: 'mcp.md',
  })
    .description('Serve recall and search to an agent over the Model Context Protocol')
    .option('--session <session>', 'default session of tool calls', sessionId)
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      return withService(options, async (palimpsest) => {
        const { serveMcpOverStdio } = await import('@app/mcp');
        const { handle, ended } = serveMcpOverStdio(sourceOf(palimpsest, options));
        await ended;
        await handle.close();
      });
    });

/** The service records reads of text itself. */
const sourceOf = (palimpsest: Service, { tenant, session }: Options): McpSource => ({
  tenant,
  ...(session !== undefined && { session }),
  sessions: (filter) => palimpsest.sessions(tenant, filter),
  show: (ref: SessionRef) => palimpsest.queries.execute(new ShowSession(ref)),
  proof: (ref) => palimpsest.proof(ref, { content: 'sealed' }),
  read: (query) => palimpsest.queries.execute(query),
});
