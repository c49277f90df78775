import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The compiled package, for programs that run outside jest. */
const COMPILED = fileURLToPath(
  new URL('../../../../dist/libs/embedded-event-store/src/index.js', import.meta.url),
);

type Started = { readonly child: ChildProcess; readonly url: string };

/**
 * Starts a store with the function of that name in a node process of its own, and waits for its address.
 * `limits` is shell code that is run before it.
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
