import type { Webhook } from '@app/client';
import { useState } from 'preact/hooks';
import { api } from '../api.js';
import { Loaded, Refusal } from '../parts/basics.js';
import { useResource } from '../parts/resource.js';
import { count, counted } from '../parts/text.js';
import { hrefOf } from '../router.js';

/** Webhooks with their dead letters. */
export const Webhooks = () => {
  const list = useResource((signal) => api().webhooks.list({ signal }), []);
  return (
    <section>
      <h2>Webhooks</h2>
      <Loaded of={list} what="webhooks">
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <p class="muted">None is registered.</p>
          ) : (
            webhooks.map((one) => <Deliveries key={one.webhookId} webhook={one} />)
          )
        }
      </Loaded>
    </section>
  );
};

const Deliveries = ({ webhook }: { readonly webhook: Webhook }) => {
  const { webhookId, url, label } = webhook;
  const dead = useResource(
    (signal) => api().webhooks.deliveries(webhookId, { state: 'dead', limit: 50 }, { signal }),
    [webhookId],
  );
  const [error, setError] = useState<unknown>();
  const replay = (delivery: string): void => {
    setError(undefined);
    api().webhooks.replay(webhookId, delivery).then(dead.reload, setError);
  };
  return (
    <>
      <h3>
        {label || webhookId} <span class="muted">{url}</span>
      </h3>
      {error !== undefined && <Refusal error={error} />}
      <Loaded of={dead} what="dead letters">
        {({ items }) =>
          items.length === 0 ? (
            <p class="muted">No dead letter.</p>
          ) : (
            <ul>
              {items.map((one) => (
                <li key={one.delivery}>
                  {one.type}{' '}
                  <a href={hrefOf(['sessions', one.session, 'log'], { at: one.revision })}>
                    {one.session} {count(one.revision)}
                  </a>
                  , {counted(one.attempts, 'attempt')}, {one.lastOutcome}{' '}
                  <button type="button" onClick={() => replay(one.delivery)}>
                    Replay
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
};
