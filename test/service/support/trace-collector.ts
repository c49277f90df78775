import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As OTLP over HTTP has it in JSON, as far as it is looked at. */
export type CollectedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
};
type Export = {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly {
        readonly key: string;
        readonly value: { readonly stringValue?: string };
      }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
};

/** A collector of OpenTelemetry that keeps what it is sent. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** The names of the services that sent them. */
  readonly services = new Set<string | undefined>();
  /** Everything as it came. */
  text = '';
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (bytes: Buffer) => {
        text += bytes.toString();
      });
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        this.text += text;
        const { resourceSpans }: Export = JSON.parse(text);
        for (const { resource } of resourceSpans)
          this.services.add(resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue);
        this.spans.push(
          ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
        );
      });
    });
  }

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector();
    await new Promise<void>((resolve) => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get endpoint(): string {
    // Listening, it has an address of this kind.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The names from a span up to the first of its trace, newest first, once a span of that name is there. */
  async pathOf(name: string, traceId: string): Promise<readonly string[]> {
    for (;;) {
      const path = this.pathNow(name, traceId);
      if (path) return path;
      await new Promise(setImmediate);
    }
  }

  /** Processes send their spans one after the other: a path is whole when it ends at one that came from outside. */
  private pathNow(name: string, traceId: string): readonly string[] | undefined {
    const all = this.spans.filter((span) => span.traceId === traceId);
    const byId = new Map(all.map((span) => [span.spanId, span]));
    for (const first of all.filter((span) => span.name === name)) {
      const path: string[] = [];
      let span: CollectedSpan | undefined = first;
      while (span) {
        path.push(span.name);
        span = byId.get(span.parentSpanId ?? '');
      }
      if (/^(GET|POST) /.test(path.at(-1) ?? '')) return path;
    }
    return undefined;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
