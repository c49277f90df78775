import { spawn } from 'node:child_process';
import { GIT_ENVIRONMENT } from '../scratch.mjs';
import { ToolFailure } from './tool-failure.mjs';

/** A command that takes longer hangs; milliseconds. */
const TIME_MAX = 180_000;

export const runCommand = {
  definition: {
    name: 'run_command',
    description:
      'Runs a shell command in the root of the repository. A command that fails is an error result.',
    input_schema: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
    },
  },

  /**
   * @param {string} root
   * @param {{ command: string }} input
   */
  run: async (root, { command }) => {
    const { output, code } = await outcomeOf(root, command);
    const text = output.trimEnd();
    if (code !== 0) throw new ToolFailure(`exit code ${code}\n${text}`.trimEnd());
    return text === '' ? '(no output)' : text;
  },
};

/**
 * @param {string} root
 * @param {string} command
 * @returns {Promise<{ output: string, code: number }>}
 */
const outcomeOf = (root, command) =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, ...GIT_ENVIRONMENT, CI: '1', NO_COLOR: '1', TZ: 'UTC', LC_ALL: 'C.UTF-8' };
    // One stream for both outputs keeps their lines in the order in which they were written.
    const child = spawn('sh', ['-c', `exec 2>&1\n${command}`], { cwd: root, env, timeout: TIME_MAX });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === null) reject(new Error(`"${command}" was ended by ${signal}`));
      else resolve({ output: Buffer.concat(chunks).toString('utf8'), code });
    });
  });
