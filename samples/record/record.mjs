// Records samples/agent-session.json: `node samples/record/record.mjs [commit]`, from the root of the project.
import { execFileSync } from 'node:child_process';
import { realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { play } from './agent-loop.mjs';
import { fileText } from './file.mjs';
import { inspect } from './inspect.mjs';
import { makeScratch } from './scratch.mjs';
import { SCRIPT, SYSTEM } from './script/index.mjs';
import { TOOLS } from './tools/index.mjs';

/** Commit at which the session begins. The project has since fixed the findings in its text helpers. */
const START = 'f1388bcf2000dea25f5cb92fb1981c7c359faf89';
/** ID of the session, which the guides name. */
const SESSION = 'agent-session-36c81a4f';

const project = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const commit = process.argv[2] ?? START;
const say = (line) => process.stderr.write(`${line}\n`);

const scratch = await makeScratch(project, commit);
const messages = [];
try {
  for await (const message of play(scratch.root, SCRIPT, TOOLS)) messages.push(message);
} finally {
  await scratch.remove();
}

const modules = await realpath(join(project, 'node_modules'));
const machinePaths = [project, dirname(modules), scratch.root, `${homedir()}/`];
const tools = TOOLS.map(({ definition }) => definition);
const transcript = { conversation: SESSION, model: 'claude-opus-4-5', system: SYSTEM, tools, messages };
const text = fileText(transcript);
const { measures, faults, turns } = inspect(transcript, text, machinePaths);
await writeFile(join(project, 'samples/agent-session.json'), text);

const name = execFileSync('git', ['rev-parse', '--short', commit], { cwd: project, encoding: 'utf8' }).trim();
say(`recorded at ${name}: ${JSON.stringify(measures)}`);
for (const [at, { from, tokens }] of turns.entries())
  say(`turn ${at + 1}, message ${from}: ${tokens} tokens`);
if (faults.length > 0) {
  say(`outside the limits of the sample: ${faults.join(', ')}`);
  process.exitCode = 1;
}
