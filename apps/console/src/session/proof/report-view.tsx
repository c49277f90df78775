import { type Report, witnessText } from '@app/proof';
import { type Column, Table } from '../../parts/table.js';
import { counted, spaced } from '../../parts/text.js';

type Step = Report['steps'][number];
const SIGNS = { passed: '✓', failed: '✕', 'not-checked': '–' } as const satisfies Record<
  Step['status'],
  string
>;
const TONES = { passed: 'good', failed: 'bad', 'not-checked': 'muted' } as const;

const COLUMNS: readonly Column<Step>[] = [
  { title: 'Step', isHead: true, cell: ({ step }) => spaced(step) },
  {
    title: 'Result',
    cell: ({ status }) => (
      <span class={`nowrap ${TONES[status]}`}>
        <span aria-hidden="true">{SIGNS[status]}</span> {status.replace('-', ' ')}
      </span>
    ),
  },
  { title: 'Check, or reason for none', cell: ({ detail }) => detail },
];

const TRUST: Readonly<Record<Report['trust'], string>> = {
  policy: 'The keys are those of the policy that you gave.',
  remembered: 'The keys are those of an earlier verification.',
  file: 'The key of the log was taken from the file itself: the maker of the file may have made the key too. Give a policy to say which logs and witnesses you trust.',
};

/** The outcome of a verification step by step, with its limits. */
export const ReportView = ({ report }: { readonly report: Report }) => {
  const { outcome, steps, faults, manifest, trust } = report;
  return (
    <>
      <p class={outcome === 'valid' ? 'good' : 'bad'} role="status">
        <strong>
          {outcome === 'valid' ? '✓ Valid' : `✕ ${spaced(outcome)}`}
          {manifest && `: ${counted(manifest.events.count, 'event')} of session ${manifest.session}`}
        </strong>
        {outcome !== 'valid' && ` ${faults[0]?.detail ?? ''}`}
      </p>
      <p>{TRUST[trust]}</p>
      {manifest && <p>Witnesses: {witnessText(report)}.</p>}
      <Table label="Steps of the verification" rows={steps} keyOf={({ step }) => step} columns={COLUMNS} />
      {manifest && (
        <>
          <h3>Not proved</h3>
          <ul>
            {manifest.notProven.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
};
