import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newDataFolder, prepareDataFolder } from '../../support/deployments/processes/data-folder.js';

export const PROGRAM = fileURLToPath(new URL('../../../dist/programs/api.js', import.meta.url));
export const KEY = 'pal_a_key_for_tests';

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

/** An API process with its own data folder; the specs of a file share one. */
export class ApiServer {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly ended: Promise<number | null>,
    /** Removed with the process, unless the spec has given it. */
    private readonly data: string | undefined,
    private readonly lines: readonly string[],
    private readonly outputs: readonly string[],
  ) {}

  /** Resolves when the process is ready; rejects with its log if it exits instead. */
  static async start(environment: NodeJS.ProcessEnv = {}): Promise<ApiServer> {
    const { PALIMPSEST_DATA: given } = environment;
    const data = given ?? (await newDataFolder('palimpsest-api-'));
    if (given !== undefined) await prepareDataFolder(given);
    const settings = { PALIMPSEST_DATA: data, PALIMPSEST_HTTP_PORT: '0', PALIMPSEST_API_KEY: KEY };
    const child = spawn(process.execPath, [PROGRAM], {
      env: { ...process.env, ...settings, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => {
      child.on('exit', resolve);
    });
    const lines: string[] = [];
    const printed: string[] = [];
    child.stdout.on('data', (bytes: Buffer) => printed.push(bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => lines.push(bytes.toString()));
    const url = await readyAt(child);
    return new ApiServer(url, child, ended, given === undefined ? data : undefined, lines, printed);
  }

  /** Starts one without background work, which takes a process more: no rows, compactions, deliveries or transparency logs. */
  static startAlone(environment: NodeJS.ProcessEnv = {}): Promise<ApiServer> {
    return ApiServer.start({ ...environment, PALIMPSEST_ROLES: 'api' });
  }

  /** The process's log so far. */
  get logged(): string {
    return this.lines.join('');
  }

  /** The process's output to stdout so far. */
  get printed(): string {
    return this.outputs.join('');
  }

  /** The authorization header of the administrator. */
  get authorization() {
    return { authorization: `Bearer ${KEY}` };
  }

  /** Sends a request with the administrator's key, unless `headers` replace it. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await textOf(response);
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends SIGKILL, as a crash. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
    if (this.data !== undefined) await rm(this.data, { recursive: true, force: true });
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    const code = await this.ended;
    if (this.data !== undefined)
      await rm(this.data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    return code;
  }
}

/** Returns the whole body; of a stream its beginning, up to its first heartbeat. */
const textOf = async (response: Response): Promise<string> => {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if ((text.match(/^:/gm)?.length ?? 0) >= 2) break;
  }
  return text;
};

/** Resolves with the URL that a process logs on stderr. */
export const readyAt = ({ stderr }: { readonly stderr: NodeJS.ReadableStream }): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const hear = (bytes: Buffer): void => {
      text += bytes.toString();
      for (const line of text.split('\n').slice(0, -1)) {
        const { event, url }: { event?: string; url?: string } = line.startsWith('{') ? JSON.parse(line) : {};
        if (event !== 'ready' || url === undefined) continue;
        stderr.off('data', hear).resume(); // Discards the access log.
        resolve(url);
      }
    };
    stderr.on('data', hear);
    stderr.on('end', () => reject(new Error(`the API ended before it was ready: ${text}`)));
  });

/** Resolves when the child process with the background roles is ready. */
export const untilWorking = async (api: ApiServer): Promise<void> => {
  while (!JSON.stringify((await api.call('GET', '/health')).body).includes('"worker":"running"'))
    await pause(20);
};
