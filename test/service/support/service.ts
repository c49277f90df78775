import type { Deployment } from '@app/deployments';

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };
type Headings = Readonly<Record<string, string>>;

/** A client of the API with one key. */
export class Caller {
  constructor(
    readonly url: string,
    readonly tenant: string,
    readonly key: string,
  ) {}

  get authorization(): { readonly authorization: string } {
    return bearer(this.key);
  }

  /** Sends a request with the key, unless `headers` replace it. */
  async call(method: string, path: string, body?: unknown, headers: Headings = {}): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...this.authorization,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
}

/** A deployment under test. Existing data is ignored: each part of the suite has its own tenants. */
export class Service {
  /** An administrator of the operator's tenant. */
  readonly operator: Caller;
  private readonly run = Date.now().toString(36);

  constructor(readonly deployment: Deployment) {
    this.operator = new Caller(deployment.url, 'default', deployment.adminKey);
  }

  /** Returns a tenant name that is unused, also on servers that were used before. */
  tenantName(name: string): string {
    return `${name}_${this.run}`;
  }

  /** Registers a tenant, and returns its administrator. */
  async tenant(name: string): Promise<Caller> {
    const tenant = this.tenantName(name);
    const { status, body } = await this.operator.call('POST', '/v1/tenants', { tenant, name });
    if (status !== 201) throw new Error(`the tenant was not registered: ${JSON.stringify(body)}`);
    return new Caller(this.deployment.url, tenant, (body as { readonly key: string }).key);
  }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
