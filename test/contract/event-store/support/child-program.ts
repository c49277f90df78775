import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The compiled package, for programs outside jest. */
const COMPILED = fileURLToPath(
  new URL('../../../../dist/libs/embedded-event-store/src/index.js', import.meta.url),
);

type Started = { readonly child: ChildProcess; readonly url: string };

/**
 * Starts a store with the function of that name in a node process, and waits for its URL. `limits` is shell code that
 * runs first.
 */
export const startOutside = (
  dataDir: string,
  start: 'startEventStore' | 'spawnEventStore',
  limits = 'true',
): Promise<Started> => {
  const program = [
    `const { ${start} } = await import(${JSON.stringify(COMPILED)});`,
    `const store = await ${start}({ dataDir: ${JSON.stringify(dataDir)} });`,
    `process.stdout.write(store.url + '\\n');`,
  ].join(' ');
  const node = [process.execPath, '--input-type=module', '-e', program];
  const child = spawn('sh', ['-c', `${limits}; exec "$0" "$@"`, ...node], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (text.includes('\n')) resolve({ child, url: text.trim() });
    });
    child.on('exit', (code) => reject(new Error(`it ended with ${code} before it said anything`)));
  });
};

/** The compiled copy program. */
const COPYING = fileURLToPath(
  new URL('../../../../dist/libs/event-store-copy/src/index.js', import.meta.url),
);

/** Copies in a process that kills itself after `killAt` events unless the copy is complete. */
export const startCopying = (from: string, to: string, killAt: number): Promise<'done' | 'killed'> => {
  const program = [
    `const { copyEvents } = await import(${JSON.stringify(COPYING)});`,
    `const onProgress = ({ phase, events }) => {`,
    `  if (phase === 'copying' && events >= ${killAt}) process.kill(process.pid, 'SIGKILL');`,
    `};`,
    `await copyEvents({ from: ${JSON.stringify(from)}, to: ${JSON.stringify(to)}, fillGaps: false, onProgress });`,
    `process.exit(0);`,
  ].join(' ');
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => {
      if (code === 0) resolve('done');
      else if (signal === 'SIGKILL') resolve('killed');
      else reject(new Error(`it ended with ${code}`));
    });
  });
};
