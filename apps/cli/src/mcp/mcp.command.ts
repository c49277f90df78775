import { type SessionRef, ShowSession } from '@app/application';
import { SessionId } from '@app/kernel';
import type { McpSource } from '@app/mcp';
import { Command, InvalidArgumentError } from 'commander';
import type { GlobalOptions } from '../options.js';
import type { Service } from '../service/service.js';
import { withService } from '../session-run.js';

type Options = GlobalOptions & { readonly session?: SessionId };

/** `palimpsest mcp`: serves one MCP client over stdin and stdout until the client closes stdin. */
export const mcpCommand = (): Command =>
  new Command('mcp')
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

const sessionId = (text: string): SessionId => {
  try {
    return SessionId(text);
  } catch {
    throw new InvalidArgumentError('not a valid session ID');
  }
};
