// Ends of commands that cannot finish: by a signal, a closed output, another command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Shell } from '../support/shell/shell.js';
import { Folders } from './support/folders.js';
import { imported, lines, list, said, sessionsOf } from './support/histories.js';
import { type Ended, output, ROOT, type Running, run, start } from './support/palimpsest.js';
import { processesOf, type Role, untilNone } from './support/processes.js';

const folders = new Folders();
const data = await folders.prepared();
let file: string;
let session: string;

const importing = (folder: string, tenant: string): string[] => [
  ...['import', '--data', folder, '--window', '8k', '--tenant', tenant, file],
];

beforeAll(async () => {
  file = folders.transcript(60);
  // A large window, so that the output is longer than any buffer between two processes.
  session = await imported(['import', '--data', data, '--window', '900k', file]);
});

afterAll(() => folders.remove());

/** Resolves when a process of that role runs for the folder. */
const until = async (folder: string, role: Role, command?: Running): Promise<void> => {
  while (!processesOf(folder).some((one) => one.role === role)) {
    if (command && command.child.exitCode !== null) throw new Error(JSON.stringify(await command.ended));
    await pause(5);
  }
};

// All pairs take a minute and a half: PALIMPSEST_FULL_MATRIX=1. By default each signal and each moment once.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ROLES = ['initdb', 'postmaster', 'backend'] as const;
const ENDINGS = SIGNALS.flatMap((signal, at) =>
  ROLES.map((role, moment) => ({ signal, role, isMain: at === moment })),
).filter(({ isMain }) => isMain || process.env.PALIMPSEST_FULL_MATRIX === '1');

describe('signal', () => {
  it.each(ENDINGS)(
    '$signal ends an import silently as soon as there is a process of the kind $role, and leaves no process running',
    async ({ signal, role }) => {
      const folder = folders.next();
      const command = start(importing(folder, 'default'));
      const { child, ended } = command;
      await until(folder, role, command);
      child.kill(signal);
      expect(await ended).toEqual({ code: 130, signal: null, stdout: '', stderr: '' });
      expect(processesOf(folder)).toEqual([]);
      await sessionsOf(folder);
    },
  );
});

it('a second Ctrl-C ends a command at once, and its servers follow', async () => {
  const command = start(importing(data, 'impatient'));
  const { child, ended } = command;
  await until(data, 'backend', command);
  child.kill('SIGINT');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
  await untilNone(data);
});

it('a command on a folder in use is rejected, and the other command continues', async () => {
  const first = start(importing(data, 'first'));
  await until(data, 'event-store', first);
  const second = await run(['sessions', '--data', data]);
  expect(second).toMatchObject({ code: 1, stdout: '' });
  expect(second.stderr).toMatch(/^palimpsest: [^\n]+ in use by process \d+: [^\n]+\[data-folder-in-use\]\n$/);
  expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
});

it('one of several concurrent commands runs, and the others are rejected', async () => {
  const commands = [1, 2, 3].map(() => start(['events', session, '--data', data]));
  // The output is not read, so that the running command keeps the folder until the others have ended.
  for (const { child } of commands) child.stdout?.pause();
  const refused: Ended[] = [];
  await new Promise<void>((resolve) => {
    for (const { ended } of commands)
      void ended.then((one) => {
        if (refused.push(one) === commands.length - 1) resolve();
      });
  });
  for (const one of refused) {
    expect(one).toMatchObject({ code: 1, stdout: '' });
    expect(one.stderr).toMatch(/\[data-folder-in-use\]\n$/);
  }
  for (const { child } of commands) child.stdout?.resume();
  const codes = (await Promise.all(commands.map(({ ended }) => ended))).map(({ code }) => code);
  expect(codes.sort()).toEqual([0, 1, 1]);
});

it('a command whose shell is killed runs to its end', async () => {
  const command = [process.execPath, `${ROOT}/bin/palimpsest.mjs`, ...importing(data, 'orphan')];
  const shell = spawn('sh', ['-c', '"$@" & wait', 'sh', ...command], { stdio: 'ignore', detached: true });
  await until(data, 'backend');
  shell.kill('SIGKILL');
  await untilNone(data);
  const rows = list(await output(['sessions', '--data', data, '--tenant', 'orphan', '--json']));
  expect(rows).toMatchObject([{ messages: 360 }]);
});

describe('reader of the output', () => {
  const events = (): Running => start(['events', session, '--data', data]);

  it('that closes the pipe ends the command silently, and leaves no process running', async () => {
    const { child, ended } = events();
    if (child.stdout) await once(child.stdout, 'data');
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(processesOf(data)).toEqual([]);
  });

  it('that has stopped reading does not prevent a signal from ending the command', async () => {
    const { child, ended } = events();
    if (child.stdout) await once(child.stdout, 'readable');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 130, stderr: '' });
    expect(processesOf(data)).toEqual([]);
  });

  it('that is slow receives everything', async () => {
    const { child, ended } = events();
    child.stdout?.on('data', () => {
      child.stdout?.pause();
      setImmediate(() => child.stdout?.resume());
    });
    if (child.stdout) await once(child.stdout, 'end');
    const { stdout } = await ended;
    expect(lines(stdout).map(({ revision }) => revision)).toEqual(lines(stdout).map((_, at) => at));
  });
});

it.each([['/dev/full', 1, /^palimpsest: [^\n]+\[disk-full\]\n$/]] as const)(
  'output to %s exits with %i',
  async (path, code, said) => {
    const full = openSync(path, 'w');
    try {
      const ended = await run(['sessions', '--data', data], { stdout: full });
      expect(ended.code).toBe(code);
      expect(ended.stderr).toMatch(said);
    } finally {
      closeSync(full);
    }
  },
);

describe('--json', () => {
  let shell: Shell;
  beforeAll(async () => {
    shell = new Shell();
    await shell.open(data);
  });
  afterAll(() => shell.end());
  const READERS: readonly (readonly string[])[] = [
    ['sessions', '--json'],
    ['audit', '--json'],
    ['audit', '--json', '--session', 'there-is-none'],
    ['projections', 'list', '--json'],
    ['context', 'SESSION', '--json'],
    ['compact', 'SESSION', '--json', '--dry-run'],
    ['events', 'SESSION', '--json'],
    ['export', 'SESSION', '--json'],
    ['audit', '--format', 'ndjson'],
  ];
  it.each(READERS.map((args) => ({ args })))('prints JSON for $args', async ({ args }) => {
    const given = args.map((arg) => (arg === 'SESSION' ? session : arg));
    const text = said(await shell.run(given));
    const parsed = text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(parsed.length).toBeGreaterThan(0);
  });
});
