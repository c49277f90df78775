import { type Report, verifyBundle } from '@app/proof';
import { type Checkpoint, type Policy, parseCheckpoint, parseNote, parsePolicy, TlogError } from '@app/tlog';
import { useState } from 'preact/hooks';
import { api, mayReadContent, wholeText } from '../../api.js';
import { signedPage } from '../../offline.js';
import { Loaded, Refusal } from '../../parts/basics.js';
import { Tick } from '../../parts/fields.js';
import { useResource } from '../../parts/resource.js';
import { saveAs } from '../../parts/save-as.js';
import { count, counted } from '../../parts/text.js';
import type { ViewProps } from '../view-props.js';
import { ReportView } from './report-view.js';
import { verifiedFile } from './verified-file.js';

/** The proof of a session: the log that it is in, and a bundle that is verified here or elsewhere. */
export const ProofPage = ({ session }: ViewProps) => (
  <section aria-label="Proof">
    <p class="lead">
      Whether this session is in the transparency log as it was recorded: each event is a leaf, and the log’s
      key signs the tree. The verification runs in this page and asks nothing of the service.
    </p>
    {signedPage ? (
      <ProofOfFile bundle={signedPage.bundle} session={session} />
    ) : (
      <ProofOnline session={session} />
    )}
  </section>
);

const ProofOnline = ({ session }: { readonly session: string }) => {
  const [isClear, setClear] = useState(mayReadContent.value);
  const load = (): Promise<string> =>
    wholeText(api().sessions.proof(session, { content: isClear ? 'clear' : 'sealed' }));
  return (
    <>
      <NewestCheckpoint />
      <h2>Proof bundle</h2>
      <Tick isTicked={isClear} onTick={setClear} disabled={!mayReadContent.value}>
        With content. Without it, the bundle holds content encrypted, and proves that it has not changed.
      </Tick>
      <Bundle session={session} load={load} />
    </>
  );
};

const ProofOfFile = ({ session, bundle }: { readonly session: string; readonly bundle: string }) => {
  const verified = verifiedFile.value;
  return (
    <>
      {verified && !verified.fault && (
        <p class="good">✓ The key of the log has signed the content of this file.</p>
      )}
      {verified?.fault !== undefined && <p class="bad">✕ {verified.fault}.</p>}
      <Bundle session={session} load={() => Promise.resolve(bundle)} verified={verified?.report} />
    </>
  );
};

const NewestCheckpoint = () => {
  const checkpoint = useResource((signal) => api().log.checkpoint({ signal }), []);
  return (
    <Loaded of={checkpoint} what="the checkpoint">
      {(note) => {
        const read = checkpointIn(note);
        return (
          <>
            <h2>Newest checkpoint of the log</h2>
            {read ? (
              <p>
                <code>{read.origin}</code> has {counted(read.size, 'leaf', 'leaves')}, with{' '}
                {counted(read.signatures, 'signature')}: one of the log, the others of witnesses.
              </p>
            ) : (
              <p class="bad">The checkpoint cannot be read.</p>
            )}
            <details>
              <summary>Signed note</summary>
              <pre class="plain">{note}</pre>
            </details>
          </>
        );
      }}
    </Loaded>
  );
};

const checkpointIn = (note: string): (Checkpoint & { readonly signatures: number }) | undefined => {
  try {
    const { text, signatures } = parseNote(note);
    return { ...parseCheckpoint(text), signatures: signatures.length };
  } catch (error) {
    if (error instanceof TlogError) return undefined;
    throw error;
  }
};

type BundleProps = {
  readonly session: string;
  readonly load: () => Promise<string>;
  readonly verified?: Report | undefined;
};

/** Saves a bundle or verifies it here, with a policy if one is given. */
const Bundle = ({ session, load, verified }: BundleProps) => {
  const [policy, setPolicy] = useState('');
  const [report, setReport] = useState<Report>();
  const [says, setSays] = useState('');
  const [error, setError] = useState<unknown>();
  const run = async (work: (bundle: string) => Promise<string> | string): Promise<void> => {
    setError(undefined);
    setSays('Loading the bundle …');
    try {
      setSays(await work(await load()));
    } catch (problem) {
      setSays('');
      setError(problem);
    }
  };
  const save = (bundle: string): string => {
    saveAs(`${session}.palimpsest`, bundle, 'application/x-ndjson');
    return `Saved, ${count(Math.ceil(bundle.length / 1_000))} kB: verify it with \`palimpsest verify\`.`;
  };
  const verify = async (bundle: string): Promise<string> => {
    const given = policyIn(policy);
    if (typeof given === 'string') return `The policy cannot be read: ${given}`;
    setReport(await verifyBundle(new TextEncoder().encode(bundle), given ? { policy: given } : {}));
    return '';
  };
  const shown = report ?? verified;
  return (
    <>
      <label class="field">
        <span>Logs and witnesses that you trust (tlog-policy; optional)</span>
        <textarea
          rows={3}
          spellcheck={false}
          value={policy}
          onInput={({ currentTarget }) => setPolicy(currentTarget.value)}
        />
      </label>
      <p class="actions">
        <button type="button" class="primary" onClick={() => void run(verify)}>
          Verify here
        </button>
        <button type="button" onClick={() => void run(save)}>
          Save the bundle
        </button>
      </p>
      <p role="status">{says}</p>
      {error !== undefined && <Refusal error={error} />}
      {shown && <ReportView report={shown} />}
    </>
  );
};

/** Returns a policy, why there is none, or `undefined` for an empty text. */
const policyIn = (text: string): Policy | string | undefined => {
  if (text.trim() === '') return undefined;
  try {
    return parsePolicy(text);
  } catch (error) {
    if (error instanceof TlogError) return error.message;
    throw error;
  }
};
