import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AGENTS, type Agent } from '../run/agents.js';
import { programOnPath } from '../run/program-on-path.js';
import { type CheckResult, ok, warn } from './check.js';

/** Milliseconds for an agent to print its version. */
const VERSION_MS = 15_000;

/** Checks which agents are installed. None is needed, so a missing one is no fault. */
export const checkAgents = (
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly CheckResult[]> =>
  Promise.all(Object.values(AGENTS).map((agent) => checkAgent(agent, env)));

const checkAgent = async (
  { program, install, setup }: Agent,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CheckResult> => {
  const check = `agent ${program}`;
  const file = await programOnPath(program, env);
  if (file === undefined) return ok(check, `not installed; \`${install}\` installs it`);
  const version = await versionOf(file);
  if (version === undefined)
    return warn(
      check,
      `${file} does not print its version`,
      `run \`${program} --version\`, or install it anew: \`${install}\``,
    );
  return ok(check, setup ? version : `${version}; transcripts are imported after a run`);
};

const versionOf = async (file: string): Promise<string | undefined> => {
  try {
    const { stdout, stderr } = await promisify(execFile)(file, ['--version'], { timeout: VERSION_MS });
    return /\d+\.\d+[\w.-]*/.exec(`${stdout}\n${stderr}`)?.[0];
  } catch {
    return undefined;
  }
};
