import { PalimpsestError } from '@app/client';
import type { ComponentChildren } from 'preact';
import { api, base, isAdmin, user } from '../api.js';
import { Loaded, PageHead, SessionLink, Time } from '../parts/basics.js';
import { useResource } from '../parts/resource.js';
import { count, counted } from '../parts/text.js';
import { Keys } from './keys.js';
import { Projections } from './projections.js';
import { Webhooks } from './webhooks.js';

/** Keys of this tenant read what concerns all tenants. */
const isOperatorTenant = (): boolean => user.value?.tenant === 'default';

/** The state of the service and of the tenant. */
export const OperationsPage = () => (
  <>
    <PageHead title="Operations">
      Health and backlog of the service: read models, compactions, webhooks, keys and limits.
    </PageHead>
    <Health />
    {user.value?.role !== 'operator' && !isAdmin.value ? (
      <p class="notice">
        Read models, webhooks, keys and limits are for operators and admins: your key has the role{' '}
        {user.value?.role}. An admin can issue another key.
      </p>
    ) : (
      <>
        {isOperatorTenant() && <Projections />}
        <Queue />
        <Webhooks />
        {isAdmin.value && <Keys />}
        <Limits />
        {isOperatorTenant() && <Tenants />}
      </>
    )}
  </>
);

type HealthAnswer = {
  readonly status: string;
  readonly eventStore: string;
  readonly postgres: string;
  readonly projections: readonly {
    readonly projection: string;
    readonly lag: number | null;
    readonly status: string;
  }[];
};

const readHealth = async (signal: AbortSignal): Promise<HealthAnswer> => {
  const response = await fetch(`${base}/health`, { signal }).catch(() => undefined);
  if (!response?.headers.get('content-type')?.includes('json'))
    throw new PalimpsestError('service-unreachable', 'start it, or wait a moment, and try again');
  return response.json();
};

const Health = () => {
  const health = useResource(readHealth, []);
  return (
    <Part title="Health">
      <Loaded of={health} what="the health of the service">
        {({ status, eventStore, postgres, projections }) => {
          const lag = Math.max(0, ...projections.map((one) => one.lag ?? 0));
          return (
            <p>
              <Sign isGood={status === 'ready'} /> Service {status}, event store {eventStore}, PostgreSQL{' '}
              {postgres}. The slowest read model is {counted(lag, 'event')} behind the log.
            </p>
          );
        }}
      </Loaded>
    </Part>
  );
};

const Sign = ({ isGood }: { readonly isGood: boolean }) => (
  <span class={isGood ? 'good' : 'bad'} aria-hidden="true">
    {isGood ? '✓' : '✕'}
  </span>
);

const Part = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section>
    <h2>{title}</h2>
    {children}
  </section>
);

const Queue = () => {
  const open = useResource(
    (signal) => api().audit.compactionPage({ outcome: 'open', limit: 50 }, { signal }),
    [],
  );
  return (
    <Part title="Open compactions">
      <Loaded of={open} what="the queue">
        {({ items }) =>
          items.length === 0 ? (
            <p class="muted">None waits or runs.</p>
          ) : (
            <ul>
              {items.map((one) => (
                <li key={one.compactionId}>
                  <SessionLink session={one.session} /> <code>{one.compactionId}</code> {one.trigger}, attempt{' '}
                  {count(one.attempts)}, asked <Time at={one.requestedAt} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Part>
  );
};

const Limits = () => {
  const limits = useResource((signal) => api().keys.limits({ signal }), []);
  return (
    <Part title="Limits of the tenant">
      <Loaded of={limits} what="the limits">
        {(value) => (
          <p>
            {count(value.requestsPerSecond)} requests a second, {count(value.requestsPerMinute)} a minute;{' '}
            {count(value.tokensPerMinute)} appended tokens a minute; {count(value.concurrentCompactions)}{' '}
            compactions at once.
          </p>
        )}
      </Loaded>
    </Part>
  );
};

const Tenants = () => {
  const tenants = useResource((signal) => api().keys.tenantPage({ limit: 100 }, { signal }), []);
  return (
    <Part title="Tenants">
      <Loaded of={tenants} what="tenants">
        {({ items, next }) => (
          <>
            <ul>
              {items.map((one) => (
                <li key={one.tenant}>
                  <code>{one.tenant}</code> {one.name}{' '}
                  {one.registeredAt !== null && <Time at={one.registeredAt} />}
                </li>
              ))}
            </ul>
            {next !== null && <p class="muted">The first 100.</p>}
          </>
        )}
      </Loaded>
    </Part>
  );
};
