import type { Erased } from '@app/client';
import { recording } from '../offline.js';
import { hrefOf } from '../router.js';
import { timeText } from './text.js';

/** Text in the place of erased content. */
export const ERASED_TEXT = '[erased]';

/** Leads to the receipt of an erasure; a file from disk holds none. */
export const ReceiptLink = ({ erasure }: { readonly erasure: string }) =>
  recording ? (
    <span>
      Receipt <code>{erasure}</code>
    </span>
  ) : (
    <a href={hrefOf(['audit', 'erasures', erasure])}>Receipt {erasure}</a>
  );

const SCOPES: Readonly<Record<Erased['scope'], string>> = {
  subject: 'with all content of its data subject',
  session: 'with all content of its session',
  tenant: 'with all content of its tenant',
};

/** Shows the requester, time and scope of an erasure. */
export const ErasedNotice = ({ erased: { by, at, erasure, scope } }: { readonly erased: Erased }) => (
  <p class="notice">
    <strong>▨ Erased</strong> for good, {SCOPES[scope]}, at the request of <code>{by}</code> on {timeText(at)}
    . Its place in the log, its size and its IDs stay. <ReceiptLink erasure={erasure} />
  </p>
);
