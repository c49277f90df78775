import { createServer, type Server } from 'node:http';

const deferred = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

/** A hook that delays its approval of compactions until the test allows it. */
export class HookServer {
  private constructor(
    private readonly server: Server,
    /** The settings that make a process call this hook. */
    readonly settings: NodeJS.ProcessEnv,
    /** Resolves after the first call. */
    readonly asked: Promise<void>,
    readonly letGo: () => void,
  ) {}

  static async start(): Promise<HookServer> {
    const asked = deferred();
    const free = deferred();
    const server = createServer((request, response) => {
      request.resume();
      asked.resolve();
      void free.promise.then(() => response.end());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const settings = {
      PALIMPSEST_HOOK_URL: `http://127.0.0.1:${port}/`,
      PALIMPSEST_HOOK_SECRET: `whsec_${'A'.repeat(32)}`,
      PALIMPSEST_HOOK_TIMEOUT_MS: '600000',
    };
    return new HookServer(server, settings, asked.promise, () => free.resolve());
  }

  stop(): void {
    this.letGo();
    this.server.closeAllConnections();
    this.server.close();
  }
}
