import type { LogWitness, LogWitnesses } from '@app/client';
import { type Report, verifyBundle } from '@app/proof';
import { type Policy, parsePolicy, TlogError } from '@app/tlog';
import { useState } from 'preact/hooks';
import { api, mayReadContent, wholeText } from '../../api.js';
import { signedPage } from '../../offline.js';
import { Loaded, Refusal } from '../../parts/basics.js';
import { Tick } from '../../parts/fields.js';
import { useResource } from '../../parts/resource.js';
import { saveAs } from '../../parts/save-as.js';
import { type Column, Table } from '../../parts/table.js';
import { count, counted, countIfKnown, timeText } from '../../parts/text.js';
import type { ViewProps } from '../view-props.js';
import { ReportView } from './report-view.js';
import { verifiedFile } from './verified-file.js';

/** The proof of a session: the log that it is in, and a bundle that is verified here or elsewhere. */
export const ProofPage = ({ session }: ViewProps) => (
  <section aria-label="Proof">
    <p class="lead">
      Whether this session is in the transparency log as it was recorded. The verification runs in this page
      and asks nothing of the service.
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
  const newest = useResource(async (signal) => {
    const [note, witnesses] = await Promise.all([
      api().log.checkpoint({}, { signal }),
      api().log.witnesses({ signal }),
    ]);
    return { note, witnesses, origin: note.split('\n', 1)[0] };
  }, []);
  return (
    <Loaded of={newest} what="the checkpoint">
      {({ note, witnesses, origin }) => (
        <>
          <h2>Newest checkpoint of the log</h2>
          <p>
            <code>{origin}</code> has {counted(witnesses.size, 'leaf', 'leaves')}, signed by the key of the
            log. <Quorum {...witnesses} />
          </p>
          {witnesses.witnesses.length > 0 && (
            <Table
              label="Witnesses"
              rows={witnesses.witnesses}
              keyOf={({ name }) => name}
              columns={WITNESS_COLUMNS}
            />
          )}
          <details>
            <summary>Signed note</summary>
            <pre class="plain">{note}</pre>
          </details>
        </>
      )}
    </Loaded>
  );
};

/** Size of the cosigned part of the log, and the remedy if entries lack cosignatures. */
const Quorum = ({ witnesses, quorum, witnessedSize }: LogWitnesses) => {
  if (witnesses.length === 0 || quorum === 'none')
    return <>No witness must cosign it: an operator can name some.</>;
  if (witnessedSize !== null)
    return (
      <>
        The quorum <code>{quorum}</code> has cosigned {count(witnessedSize)} of them.
      </>
    );
  return (
    <strong class="bad">
      ✕ The quorum <code>{quorum}</code> is missing: proofs are incomplete until the witnesses below cosign.
    </strong>
  );
};

const WITNESS_COLUMNS: readonly Column<LogWitness>[] = [
  { title: 'Witness', isHead: true, cell: ({ name }) => name },
  { title: 'Leaves cosigned', isNumber: true, cell: ({ size }) => countIfKnown(size) },
  { title: 'At', cell: ({ cosignedAt }) => cosignedAt && timeText(cosignedAt) },
  { title: 'Problem', cell: ({ problem }) => problem },
];

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
