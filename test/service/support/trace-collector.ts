import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The used part of OTLP over HTTP in JSON. */
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

/** An OpenTelemetry collector that stores everything received. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** The names of the services that sent spans. */
  readonly services = new Set<string | undefined>();
  /** Everything as received. */
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
    // A listening server has an address of this type.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns the names from a span up to the root of its trace, newest first, once a span of that name exists. */
  async pathOf(name: string, traceId: string): Promise<readonly string[]> {
    for (;;) {
      const path = this.pathNow(name, traceId);
      if (path) return path;
      await pause(20);
    }
  }

  /** Spans arrive per process: a path is complete when it ends at an external parent. */
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
