import { type Report, verifyBundle, verifyPage } from '@app/proof';
import { signal } from '@preact/signals';
import { signedPage } from '../../offline.js';

export type VerifiedFile = {
  readonly report: Report;
  /** Why the log has not signed what this page shows; `undefined` if it has. */
  readonly fault: string | undefined;
};

/** What the verification of this file has found; `undefined` while it runs. */
export const verifiedFile = signal<VerifiedFile | undefined>(undefined);

/** Verifies this page, if it was opened from disk. */
export const verifyFile = async (): Promise<void> => {
  if (!signedPage) return;
  const report = await verifyBundle(new TextEncoder().encode(signedPage.bundle));
  verifiedFile.value = { report, fault: verifyPage(signedPage, report) };
};
