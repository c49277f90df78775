import type { PalimpsestClient } from '@app/client';
import type { Records } from './agents.js';
import { followTenant, type Reading } from './readers.js';
import type { Service } from './service.js';

export type Tenant = { readonly client: PalimpsestClient; readonly reading: Reading };
export type LoadedSession = { readonly name: string; readonly tenant: Tenant; turn: number };

/** Registers tenants without limits, each with a stream reader until `signal` aborts. */
export const registerTenants = async (
  service: Service,
  count: number,
  signal: AbortSignal,
): Promise<readonly Tenant[]> => {
  const tenants: Tenant[] = [];
  for (let at = 0; at < count; at += 1) {
    const { key } = await service.admin.keys.registerTenant({ tenant: `load_${at}`, name: `Load ${at}` });
    const client = service.clientOf(key);
    await client.keys.changeLimits({ requestsPerSecond: 10_000, requestsPerMinute: 300_000 });
    tenants.push({ client, reading: followTenant(client, signal) });
  }
  return tenants;
};

/** Compares the clients' own records with each tenant's stream and with the exports. */
export const compare = async (
  sessions: readonly LoadedSession[],
  { appended }: Records,
): Promise<{ readonly lost: readonly string[]; readonly doubled: readonly string[] }> => {
  const lost: string[] = [];
  const doubled: string[] = [];
  for (const { name, tenant } of sessions) {
    const acknowledged = appended.get(name) ?? [];
    const stored: string[] = [];
    for await (const { id } of tenant.client.sessions.export(name)) stored.push(id);
    const seen = await tenant.reading.seen(name, acknowledged.length);
    for (const id of acknowledged) {
      if (!stored.includes(id) || !seen.includes(id)) lost.push(id);
      if (stored.indexOf(id) !== stored.lastIndexOf(id) || seen.indexOf(id) !== seen.lastIndexOf(id))
        doubled.push(id);
    }
  }
  return { lost, doubled };
};
