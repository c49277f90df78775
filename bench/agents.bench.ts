/**
 * Runs agents of the command line (Claude Code, Codex, OpenCode, pi) from npm with `palimpsest run`, from the packed product in an
 * empty folder, through compactions: each reads files with its own tool, and continues its session in a second process. The
 * provider is a local server with the provider's rules. Safety: both turns must end, each result must be in the session
 * once and in order, and no request may be refused or exceed the window. `AGENTS`, names with commas, selects some of them.
 */

import { install } from '../test/support/frameworks/install.js';
import { installPacked } from '../test/support/frameworks/packed.js';
import { playAgent } from '../test/support/frameworks/play-agent.js';
import { REAL_AGENTS } from '../test/support/frameworks/real-agents.js';
import { chosenBy, readInvocation } from './support/invocation.js';
import { note, report, whole } from './support/report.js';

const WINDOW = 56_000;
const [PAGES, TURNS] = [25, 2];
const { folder } = readInvocation();

const palimpsest = await installPacked(folder);
const rows: (readonly string[])[] = [];
let isSound = true;
for (const agent of chosenBy('AGENTS', REAL_AGENTS)) {
  const installed = await install(agent);
  if (!installed) continue;
  const { answers, compactions, largest, problems } = await playAgent({
    ...{ agent, installed, palimpsest, window: WINDOW, pages: PAGES, turns: TURNS },
  });
  for (const problem of problems) note(`${agent.run}: ${problem}`);
  isSound &&= problems.length === 0;
  const name = `${agent.package} ${installed.version}`;
  rows.push([name, whole(answers), whole(compactions), whole(largest), problems.length === 0 ? 'yes' : 'NO']);
}
report(
  `agents: ${rows.length} agents through compactions in a window of ${whole(WINDOW)} tokens, from a packed install`,
  ['', 'answers', 'compactions', 'largest request, tokens', 'did its work'],
  rows,
);
process.exit(isSound ? 0 : 1);
