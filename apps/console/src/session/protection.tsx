import type { SessionView } from '@app/client';
import { api } from '../api.js';
import { ReceiptLink } from '../parts/erased.js';
import { useResource } from '../parts/resource.js';
import { timeText } from '../parts/text.js';
import { hrefOf } from '../router.js';

type Props = { readonly view: SessionView; readonly round: number };

/** The erasures, holds and retention period of a session; part of every view, since erasures change each. */
export const Protection = ({ view: { session, lastErasure }, round }: Props) => {
  const { value } = useResource((signal) => api().retention.get(session, { signal }), [session], round);
  return (
    <>
      {lastErasure !== null && (
        <p class="notice">
          <strong>▨ Content of this session was erased.</strong> It reads as [erased], also in requests;
          events, sizes, times and IDs stay. <ReceiptLink erasure={lastErasure} />
        </p>
      )}
      {value?.holds.map(({ matter, reason, by, at }) => (
        <p class="notice" key={matter}>
          <strong>
            ⚑ Legal hold <a href={hrefOf(['audit', 'holds'], { matter })}>{matter}</a>
          </strong>{' '}
          by <code>{by}</code> since {timeText(at)}: {reason}. Until it is released, nothing of this session
          is erased.
        </p>
      ))}
      {value?.period && (
        <p class="muted">
          Kept until {timeText(value.period.until)} ({value.period.mode}): nothing is erased before.
        </p>
      )}
    </>
  );
};
