import { openNote, parseVerifierKey, TlogError } from '@app/tlog';
import { signedPageText } from '../bundle/bundle.js';
import { sha256 } from '../commitments.js';
import type { Report } from './report.js';

/** A recorded session within a page, beside its proof bundle. */
export type SignedPage = {
  /** As the page holds it. */
  readonly recording: string;
  /** A signed note. */
  readonly signature: string;
  /** The bundle's text. */
  readonly bundle: string;
};

/**
 * Verifies that the log of a verified bundle has signed the content of a page.
 *
 * @returns why it has not; `undefined` if it has.
 */
export const verifyPage = (page: SignedPage, { head, manifest }: Report): string | undefined => {
  if (!head || !manifest) return 'the proof bundle is not valid, so that its keys prove nothing';
  const signers = head.keys.map(parseVerifierKey).filter(({ type }) => type === 'ed25519');
  try {
    const { text } = openNote(page.signature, signers);
    if (text !== signedPageText(head.origin, sha256(page.recording)))
      return 'what this page shows was changed after the log had signed it';
    const { session, proof }: { session: string; proof: string } = JSON.parse(page.recording);
    if (session !== manifest.session || proof !== sha256(page.bundle))
      return 'what this page shows belongs to another proof bundle';
    return undefined;
  } catch (error) {
    if (error instanceof TlogError) return error.message;
    throw error;
  }
};
