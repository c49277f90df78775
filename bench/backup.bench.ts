/**
 * Backs up a running service every minute for ten minutes while sessions are written, and restores each backup elsewhere. Measures
 * completeness besides time: a backup has every message that was acknowledged before it began, its sessions and contexts equal the
 * originals, and `verify --live` finds the restored installation valid.
 */
import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PalimpsestClient } from '@app/client';
import { type Deployment, startEmbedded } from '@app/deployments';
import { z } from 'zod';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report, whole } from './support/report.js';

const { quick, folder } = readInvocation();
const OPTIONS = quick
  ? { backups: 3, everyMs: 2_000, sessions: 4 }
  : { backups: 10, everyMs: 60_000, sessions: 16 };
const PROGRAM = fileURLToPath(new URL('../programs/palimpsest.js', import.meta.url));
const SESSIONS = Array.from({ length: OPTIONS.sessions }, (_, number) => `session-${number}`);
const data = join(folder, 'data');
const run = promisify(execFile);
const resultOf = z.object({ events: z.int() });

type Backup = {
  readonly folder: string;
  readonly keys: string;
  readonly events: number;
  readonly seconds: number;
  /** Messages that were acknowledged before it began, by session. */
  readonly acknowledged: ReadonlyMap<string, number>;
};

const clientOf = ({ url, adminKey }: Deployment) => new PalimpsestClient({ url, apiKey: adminKey });

/** Runs a command; rejects with its output. */
const cli = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> =>
  (await run(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ...env }, maxBuffer: 2 ** 28 }))
    .stdout;

const seconds = async <Result>(work: () => Promise<Result>): Promise<readonly [Result, number]> => {
  const startedAt = performance.now();
  const result = await work();
  return [result, (performance.now() - startedAt) / 1_000];
};

const deployment = await startEmbedded({ PALIMPSEST_DATA: data });
const client = clientOf(deployment);
const acknowledged = new Map<string, number>();
let isDone = false;

/** Appends turns, and composes a request after each. */
const write = async (session: string): Promise<void> => {
  for (let turn = 0; !isDone; turn += 1) {
    const text = `turn ${turn} of ${session} `;
    await client.sessions.append(session, {
      messages: [
        { role: 'user', content: text.padEnd(400, 'q') },
        { role: 'assistant', content: text.padEnd(1_200, 'a') },
      ],
    });
    acknowledged.set(session, (turn + 1) * 2);
    await client.sessions.compose(session);
  }
};

const backUp = async (number: number): Promise<Backup> => {
  const before = new Map(acknowledged);
  const [growing, keys] = [join(folder, 'backup'), join(folder, `keys-${number}`)];
  const command = ['backup', growing, '--keys', keys, '--data', data, '--json'];
  const [said, took] = await seconds(() => cli(command));
  const copy = join(folder, `backup-${number}`);
  await cp(growing, copy, { recursive: true });
  return { folder: copy, keys, seconds: took, acknowledged: before, ...resultOf.parse(JSON.parse(said)) };
};

const eventsOf = async (from: PalimpsestClient, session: string): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const event of from.sessions.events(session)) lines.push(JSON.stringify(event));
  return lines;
};

/** Compares a restored session with the original, and returns the differences. */
const faultsOf = async (
  there: PalimpsestClient,
  session: string,
  atLeast: number,
): Promise<readonly string[]> => {
  const [copy, original] = await Promise.all([eventsOf(there, session), eventsOf(client, session)]);
  const messages = copy.filter((line) => line.includes('"type":"MessageAppended"')).length;
  const different = copy.findIndex((line, at) => line !== original[at]);
  const asOf = copy.length - 1;
  const contexts = await Promise.all(
    [there, client].map(async (from) => JSON.stringify(await from.sessions.context(session, { asOf }))),
  );
  return [
    ...(messages < atLeast ? [`${session}: ${messages} of ${atLeast} acknowledged messages`] : []),
    ...(different >= 0 ? [`${session}: event ${different} differs`] : []),
    ...(contexts[0] === contexts[1] ? [] : [`${session}: the context differs`]),
  ];
};

/** Restores a backup elsewhere, starts it, and returns its faults and how long the restore took. */
const restore = async (backup: Backup, number: number): Promise<readonly [readonly string[], number]> => {
  const place = join(folder, `restored-${number}`);
  const command = ['restore', backup.folder, '--keys', backup.keys, '--data', place, '--json'];
  const [said, took] = await seconds(() => cli(command));
  const { events } = resultOf.parse(JSON.parse(said));
  const faults = events === backup.events ? [] : [`${events} of ${backup.events} events`];
  // Without the compactor, which would go on with compactions that were open in the backup.
  const restored = await startEmbedded({ PALIMPSEST_DATA: place, PALIMPSEST_ROLES: 'api,projector' });
  try {
    const there = clientOf(restored);
    for (const session of SESSIONS)
      faults.push(...(await faultsOf(there, session, backup.acknowledged.get(session) ?? 0)));
    const key = { PALIMPSEST_API_KEY: restored.adminKey };
    await cli(['verify', '--live', '--url', restored.url], key).catch((error: unknown) =>
      faults.push(String(error)),
    );
  } finally {
    await restored.stop();
  }
  return [faults.map((fault) => `backup ${number}: ${fault}`), took];
};

try {
  for (const session of SESSIONS) await client.sessions.open({ session, window: 32_000 });
  const writers = SESSIONS.map(write);
  const backups: Backup[] = [];
  for (let number = 1; number <= OPTIONS.backups; number += 1) {
    await pause(OPTIONS.everyMs);
    backups.push(await backUp(number));
    note(`backup ${number}: ${backups.at(-1)?.events} events`);
  }
  isDone = true;
  await Promise.all(writers);
  const faults: string[] = [];
  let restoring = 0;
  for (const [at, backup] of backups.entries()) {
    const [found, took] = await restore(backup, at + 1);
    faults.push(...found);
    restoring = Math.max(restoring, took);
    note(`restored ${at + 1}: ${found.length} faults`);
  }
  for (const fault of faults) note(fault);
  report(
    `backup: ${backups.length} backups under load, each restored and verified: ${faults.length} faults (promised: none)`,
    ['', 'value'],
    [
      ['sessions that were written', `${SESSIONS.length}`],
      ['events in the last backup', whole(backups.at(-1)?.events ?? 0)],
      ['longest backup, s', fixed(Math.max(...backups.map((one) => one.seconds)), 1)],
      ['longest restore, s', fixed(restoring, 1)],
    ],
  );
  if (faults.length > 0) process.exitCode = 1;
} finally {
  isDone = true;
  await deployment.stop();
}
