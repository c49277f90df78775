import { type Report, verifyBundle, verifyPage } from '@app/proof';
import { signal } from '@preact/signals';
import { signedPage } from '../../offline.js';

export type VerifiedFile = {
  readonly report: Report;
  /** Why the signature of the log does not cover this page; `undefined` if it does. */
  readonly fault: string | undefined;
};

/** Result of the verification of this file; `undefined` while it runs. */
export const verifiedFile = signal<VerifiedFile | undefined>(undefined);

/** Verifies this page, if it was opened from disk. */
export const verifyFile = async (): Promise<void> => {
  if (!signedPage) return;
  const report = await verifyBundle(new TextEncoder().encode(signedPage.bundle));
  verifiedFile.value = { report, fault: verifyPage(signedPage, report) };
};
