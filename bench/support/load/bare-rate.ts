import { SessionId, TenantId } from '@app/kernel';
import { openBareClient } from '../appends/bare-client.js';
import { withEventStore } from '../event-store.js';
import { millisecondsOf } from '../rounds.js';
import { questionMessage } from '../sessions/turn-messages.js';

/** Returns the bare client's appends per second with `agents` concurrent sessions on a separate server. */
export const bareRateOf = (folder: string, agents: number, appendsEach: number): Promise<number> =>
  withEventStore(folder, async ({ url }) => {
    const bare = openBareClient(url);
    const messages = Array.from({ length: appendsEach }, (_, at) => questionMessage(at + 1));
    const prepared = await Promise.all(
      Array.from({ length: agents }, (_, at) =>
        bare.prepare({ tenant: TenantId('bare'), session: SessionId(`s-${at}`) }, messages),
      ),
    );
    const took = await millisecondsOf(() =>
      Promise.all(
        prepared.map(async (appends) => {
          for (const append of appends) await append();
        }),
      ),
    );
    await bare.close();
    return (prepared.flat().length / took) * 1_000;
  });
