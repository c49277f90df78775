import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { answer, inputTokensOf, type RecordedRequest, type Reply } from '@app/testing/providers';
import type { Installed } from './install.js';
import { modelEnv, startModelServer } from './model-server.js';
import type { RealAgent } from './real-agents.js';

export type Play = {
  readonly agent: RealAgent;
  readonly installed: Installed;
  /** Path of the program `palimpsest`. */
  readonly palimpsest: string;
  /** Window of its session, in tokens. */
  readonly window: number;
  /** Pages of some 2,200 tokens that it reads in each turn, one call a request. */
  readonly pages: number;
  readonly turns: number;
};
type PlayedAgent = {
  /** Answers to the conversation, not to questions beside it, such as for a title. */
  readonly answers: number;
  readonly compactions: number;
  /** Billed tokens of the largest request. */
  readonly largest: number;
  /** Errors of the run; empty if the agent completed its work. */
  readonly problems: readonly string[];
};

const RULE = 'Always name station 1000 before station 2000.';
const fileOf = (page: number): string => `page-${page}.txt`;
const pageOf = (page: number): string =>
  Array.from(
    { length: 120 },
    (_, line) => `Page ${page}, line ${line}: station ${page * 100 + line}, no fault.`,
  ).join('\n');
const doneWith = (turn: number): string => `Turn ${turn} is done.`;

/**
 * Runs an agent of the command line as its user does, `palimpsest run AGENT -- ARGS`, each turn in a process of its own that
 * continues the session of the one before. Its provider is a local server with the provider's rules.
 */
export const playAgent = async ({ agent, installed, palimpsest, window, pages, turns }: Play) => {
  const home = await mkdtemp(join(tmpdir(), 'palimpsest-agent-'));
  const work = join(home, 'work');
  await mkdir(work);
  for (let page = 1; page <= pages * turns; page += 1)
    await writeFile(join(work, fileOf(page)), pageOf(page));
  let step = 0;
  const script = async ({ body }: RecordedRequest): Promise<Reply> => {
    if (!Array.isArray(body.tools) || body.tools.length === 0) return answer('Reports of stations');
    step += 1;
    const turn = Math.ceil(step / (pages + 1));
    const place = step - (turn - 1) * (pages + 1);
    if (place > pages) return answer(doneWith(turn));
    return answer(agent.print(fileOf((turn - 1) * pages + place), `call_${step}`));
  };
  const server = await startModelServer(agent, script);
  const env = {
    PATH: [dirname(installed.node), join(installed.folder, 'node_modules/.bin'), process.env.PATH].join(
      delimiter,
    ),
    ...{ HOME: home, PALIMPSEST_DATA: join(home, 'data') },
    ...modelEnv(server),
    ...agent.env,
  };
  const ran = (args: readonly string[]) =>
    runProgram(installed.node, [palimpsest, ...args], { cwd: work, env });
  const problems: string[] = [];
  const need = (holds: boolean, otherwise: string): void => void (holds || problems.push(otherwise));
  try {
    for (let turn = 1; turn <= turns; turn += 1) {
      const prompt = turn === 1 ? `Read the first pages with cat. ${RULE}` : 'Read the next pages.';
      const args = agent.args(prompt, turn === 1);
      const { code, stdout, stderr } = await ran([
        'run',
        agent.run,
        '--window',
        String(window),
        '--',
        ...args,
      ]);
      need(code === 0, `turn ${turn} ended with ${code}: ${stderr.slice(-500)}`);
      need(stdout.includes(doneWith(turn)), `turn ${turn} has no answer: ${stdout.slice(-200)}`);
    }
    const [session, ...others] = JSON.parse((await ran(['sessions', '--json'])).stdout || '[]');
    need(others.length === 0, `${others.length} more sessions`);
    const exported = await ran(['export', String(session?.session)]);
    const results = [...exported.stdout.matchAll(/Page (\d+), line 0:/g)].map(([, page]) => Number(page));
    const all = Array.from({ length: pages * turns }, (_, at) => at + 1);
    need(JSON.stringify(results) === JSON.stringify(all), `the session has the pages ${results.join(' ')}`);
    const compactions = Number(session?.compactions ?? 0);
    need(compactions > 0, 'no compaction');
    const asked = server.requests.filter(({ method }) => method === 'POST');
    const refused = asked.filter(({ status }) => status !== 200);
    need(refused.length === 0, `the provider refused ${refused.length} of ${asked.length} requests`);
    const last = asked.at(-1)?.text ?? '';
    need(last.includes('<conversation-record'), 'the last request has no summary');
    need(last.includes(RULE), 'the last request lacks the rule of the user');
    const largest = Math.max(...asked.map(inputTokensOf));
    need(largest < window, `a request has ${largest} tokens`);
    return { answers: step, compactions, largest, problems } satisfies PlayedAgent;
  } finally {
    await server.close();
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
};

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };
const runProgram = (
  program: string,
  args: readonly string[],
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { ...where, timeout: 240_000, maxBuffer: 2 ** 26 };
    const child = execFile(program, [...args], options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, code: error === null ? 0 : Number(error.code ?? 1) }),
    );
    child.stdin?.end();
  });
