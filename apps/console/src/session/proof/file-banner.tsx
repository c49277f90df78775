import { recording } from '../../offline.js';
import { count, timeText } from '../../parts/text.js';
import { hrefOf } from '../../router.js';
import { verifiedFile } from './verified-file.js';

/** The source of a shared file and the result of its verification against the log's signature. */
export const FileBanner = () => {
  if (!recording) return null;
  const { session, recordedAt, withContent } = recording;
  const verified = verifiedFile.value;
  const about = `Session ${session} as of ${timeText(recordedAt)}, ${withContent ? 'with content' : 'without content'}.`;
  const proof = <a href={hrefOf(['sessions', session, 'proof'])}>Verified steps</a>;
  if (!verified)
    return (
      <p class="notice" role="status">
        {about} Verifying this file …
      </p>
    );
  const { report, fault } = verified;
  if (fault !== undefined || report.outcome !== 'valid')
    return (
      <div class="notice notice-error" role="alert">
        <p>
          <strong>✕ Invalid: do not rely on this file.</strong> {report.faults[0]?.detail ?? fault}.
        </p>
        <p>
          {about} Ask for a new export of the session. {proof}
        </p>
      </div>
    );
  return (
    <p class="notice notice-good" role="status">
      <strong>✓ Verified.</strong> {about} The log’s key has signed the content of this file, and its{' '}
      {count(report.manifest?.events.count ?? 0)} events are in the log
      {report.trust === 'file' && '; the key itself comes from the file'}. {proof}
    </p>
  );
};
