import { type ChildProcessByStdio, type ExecFileOptions, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installNode } from '../support/frameworks/install.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The newest TypeScript, which npm installs by default. */
const TSC = join(ROOT, 'node_modules/typescript-native/bin/tsc');
const WORKSPACES = ['client', 'embedded-event-store', 'embedded-postgres', 'framework-adapters', 'tlog'];
/** Imports of the examples other than the packages themselves. */
const PEERS = ['@eventstore/db-client@6', 'pg@8', '@types/pg@8', '@types/node@20'];
const MIB = 1_048_576;
const SIZE_MAX = 250 * MIB;
const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'ES2022', module: 'NodeNext', types: ['node'], outDir: 'out', experimentalDecorators: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  },
  include: ['*.ts'],
};

/** Returns the first code block of a language in a Markdown file. */
const blockOf = (markdown: string, language: string): string =>
  new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(markdown)?.[1] ?? '';

const sizeOf = async (folder: string): Promise<number> => {
  const { stdout } = await run('du', ['-sk', folder]);
  return Number.parseInt(stdout, 10) * 1_024;
};

/** Whether the registry responds: the packages' dependencies are installed from it. */
const hasRegistry = await run('npm', ['ping', '--fetch-retries', '0', '--fetch-timeout', '20000']).then(
  () => true,
  () => false,
);
if (!hasRegistry) process.stderr.write('packed packages: skipped, since the npm registry does not answer\n');

/** Guarantee: each packed package works in an empty folder outside this repository. */
(hasRegistry ? describe : describe.skip)('packed packages', () => {
  let folder: string;
  let tarballs: readonly string[];
  const app = (...names: string[]): string => join(folder, 'app', ...names);
  const env = { ...process.env, NODE_OPTIONS: '', PALIMPSEST_DATA: '' };
  const npm = (args: readonly string[], cwd: string) =>
    run('npm', [...args, '--no-audit', '--no-fund'], { cwd, env, maxBuffer: 64 * MIB });
  const node = async (program: string): Promise<string> =>
    (await run(process.execPath, [program], { cwd: app(), env })).stdout;
  const example = async (workspace: string): Promise<readonly [code: string, output: string]> => {
    const readme = await readFile(join(ROOT, 'libs', workspace, 'README.md'), 'utf8');
    return [blockOf(readme, 'ts'), blockOf(readme, 'text')];
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-packed-'));
    const pack = ['pack', '--pack-destination', folder];
    await Promise.all([npm(pack, ROOT), npm([...pack, '--workspaces'], ROOT)]);
    tarballs = (await readdir(folder)).map((name) => join(folder, name));
    expect(tarballs).toHaveLength(WORKSPACES.length + 1);
    await mkdir(app());
    await writeFile(app('package.json'), JSON.stringify({ private: true, type: 'module' }));
    const [palimpsest = ''] = tarballs.filter((path) => /palimpsest-\d/.test(path));
    await npm(['install', palimpsest], app());
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('take at most 250 MB, and contain no telemetry', async () => {
    expect(await sizeOf(app('node_modules'))).toBeLessThan(SIZE_MAX);
    const lock: { packages: Readonly<Record<string, { hasInstallScript?: boolean }>> } = JSON.parse(
      await readFile(app('package-lock.json'), 'utf8'),
    );
    const scripts = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripts.map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(names.filter((name) => !/^(@embedded-postgres\/|lmdb$|msgpackr-extract$)/.test(name))).toEqual([]);
  });

  it('run the demo', async () => {
    const { stdout, stderr } = await run('npx', ['palimpsest', 'demo'], { cwd: app(), env });
    expect(stdout).toContain('Nothing is lost');
    expect(stderr).not.toContain('EBADENGINE');
  });

  describe('in a TypeScript project', () => {
    let service: ChildProcessByStdio<null, Readable, null>;
    beforeAll(async () => {
      await npm(['install', ...tarballs, ...PEERS], app());
      for (const name of WORKSPACES) await writeFile(app(`${name}.ts`), (await example(name))[0]);
      await cp(join(ROOT, 'samples/library'), app(), { recursive: true });
      await writeFile(app('tsconfig.json'), JSON.stringify(TSCONFIG));
      await run(process.execPath, [TSC, '--singleThreaded', '-p', app()], { cwd: app() }).catch(
        ({ stdout }) => {
          throw new Error(`the examples do not compile:\n${stdout}`);
        },
      );
    });
    afterAll(async () => {
      service?.kill('SIGTERM');
      if (service?.exitCode === null) await once(service, 'exit');
    });

    it.each(['embedded-event-store', 'embedded-postgres', 'tlog'])('run the example of %s', async (name) => {
      expect(await node(app('out', `${name}.js`))).toBe((await example(name))[1]);
    });

    it('run the engine as a library', async () => {
      expect(await node(app('out/engine.js'))).toBe(
        'fits into the window: true\nremembers the first file: true\n',
      );
    });

    it('run the engine inside a Nest application', async () => {
      expect(await node(app('out/nest.js'))).toBe('messages: 1\nopened: greeting, profile core\n');
    });

    it('serve the API, and call it with the client and a mirror of a session', async () => {
      const key = `pal_${'x'.repeat(40)}`;
      const palimpsest = app('node_modules/palimpsest/bin/palimpsest.mjs');
      service = spawn(process.execPath, [palimpsest, 'serve', '--port', '0', '--data', 'data'], {
        cwd: app(),
        env: { ...env, PALIMPSEST_API_KEY: key },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [greeting]: string[] = await once(createInterface({ input: service.stdout }), 'line');
      const url = / is ready at (\S+)/.exec(greeting ?? '')?.[1];
      for (const name of ['client', 'framework-adapters']) {
        const { stdout } = await run(process.execPath, [app('out', `${name}.js`)], {
          cwd: app(),
          env: { ...env, PALIMPSEST_URL: url, PALIMPSEST_API_KEY: key },
        });
        expect(stdout).toBe((await example(name))[1]);
      }
    });
  });

  const program = (): string => app('node_modules/palimpsest/bin/palimpsest.mjs');

  it.each(['22', '24'])('run the demo on Node %s without a warning', async (version) => {
    const other = await installNode(version);
    const { stdout, stderr } = await run(
      other,
      [program(), 'demo', '--data', join(folder, `data-${version}`)],
      { cwd: folder, env },
    );
    expect(stdout).toContain('Nothing is lost');
    expect(stderr).not.toMatch(/warning|deprecated/i);
  });

  type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };
  const ended = (node: string, args: readonly string[], options: ExecFileOptions): Promise<Ended> =>
    new Promise((resolve) => {
      execFile(node, [program(), ...args], { ...options, encoding: 'utf8' }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });

  it.each(['12', '18'])('name the needed Node on Node %s', async (version) => {
    const old = await installNode(version);
    for (const command of [['run', 'claude'], ['doctor']])
      expect(await ended(old, command, { cwd: folder, env })).toEqual({
        ...{ code: 1, stdout: '' },
        stderr: expect.stringMatching(/^palimpsest: Node \S+ is too old: install Node 20.19 or newer .*\n$/),
      });
  });

  describe('on a machine with one fault', () => {
    const server = createServer((socket) => void socket.end('HTTP/1.1 404 Not Found\r\n\r\n'));
    const address = () => `127.0.0.1:${Object(server.address()).port}`;
    const locked = (): string => join(folder, 'locked');
    beforeAll(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      await mkdir(join(folder, 'agents'));
      await writeFile(join(folder, 'agents/claude'), '#!/bin/sh\necho 9.9.9', { mode: 0o755 });
      await mkdir(join(folder, 'home'));
      await chmod(join(folder, 'home'), 0o777);
      await mkdir(locked());
      await writeFile(join(locked(), 'format.json'), '{"format":1}');
      await chmod(locked(), 0o555);
      await run('chmod', ['-R', 'go+rX', folder]); // npm leaves them to their owner under a narrow umask.
    });
    afterAll(() => void server.close());

    // The superuser may write everywhere.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    it.each([
      [
        ...([
          'a port that is taken',
          'port',
          { PALIMPSEST_HTTP_PORT: () => address().split(':')[1] },
        ] as const),
        /port \d+ is in use: set PALIMPSEST_HTTP_PORT to another, or 0 \[port-in-use\]/,
      ],
      [
        ...(['no API key', 'service', { PALIMPSEST_URL: () => `http://${address()}` }] as const),
        /no API key for the service at \S+: set PALIMPSEST_API_KEY, or give --api-key \[invalid-configuration\]/,
      ],
      [
        ...(['a folder of another user', 'data folder', { PALIMPSEST_DATA: locked }] as const),
        /locked cannot be used \(EACCES\): give this user write access, or choose another .* \[data-folder-unusable\]/,
      ],
      [
        ...([
          'a folder in one of another user',
          'data folder',
          { PALIMPSEST_DATA: () => join(locked(), 'data') },
        ] as const),
        /data cannot be used \(EACCES\): give this user write access, or choose another .* \[data-folder-unusable\]/,
      ],
      [
        ...([
          'no upstream',
          'upstream Anthropic',
          { ANTHROPIC_BASE_URL: () => 'http://127.0.0.1:9' },
        ] as const),
        /http:\/\/127.0.0.1:9 cannot be reached for claude: check the network, or set PALIMPSEST_GATEWAY_ANTHROPIC .* \[upstream-unreachable\]/,
      ],
    ])('with %s name the fault and its remedy in one line', async (_, check, settings, line) => {
      const given = Object.entries(settings).map(([name, value]) => [name, value()]);
      const all = {
        ...{ PATH: [join(folder, 'agents'), process.env.PATH].join(delimiter), HOME: join(folder, 'home') },
        ...{ ANTHROPIC_BASE_URL: `http://${address()}`, OPENAI_BASE_URL: 'http://127.0.0.1:9' },
        ...{ PALIMPSEST_HTTP_PORT: '0', PALIMPSEST_DATA: join(folder, 'home/data') },
        ...Object.fromEntries(given),
      };
      const options = { cwd: folder, env: all, ...user };
      const { code, stdout, stderr } = await ended(process.execPath, ['run', 'claude'], options);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(stderr.trim()).toMatch(line);
      const doctor = await ended(process.execPath, ['doctor'], options);
      expect(doctor).toMatchObject({ code: 1, stderr: '' });
      const failed = doctor.stdout.split('\n').filter((text) => text.startsWith('FAIL  '));
      const [first = '', ...others] = failed.filter((text) => !text.includes('upstream OpenAI'));
      expect(first).toMatch(new RegExp(`^FAIL  ${check} +\\S.*: \\S`));
      expect(others).toEqual([]);
    });
  });
});
