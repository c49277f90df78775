import { type Report, witnessText } from '@app/proof';

const TITLES = {
  valid: 'VALID',
  invalid: 'INVALID: the record was changed, or the proof is false',
  incomplete: 'INCOMPLETE: everything found is valid, but parts are missing',
  'unknown-key': 'UNKNOWN KEY: it is not signed by a key of your policy',
  malformed: 'MALFORMED: this is no proof bundle, or it is damaged',
} as const;
const MARKS = { passed: 'ok', failed: 'FAILED', 'not-checked': 'not checked' } as const;
const TRUST = {
  policy: 'The key of the log is one of the policy.',
  remembered: 'The key of the log is the one of an earlier verification.',
  file: 'The key of the log was taken from the file itself: give --policy with the logs that you trust.',
} as const;

/** Returns a report as text: the steps with their results, and the limits of a proof. */
export const reportText = (report: Report, file: string): string => {
  const { outcome, steps, manifest, faults, trust } = report;
  const width = Math.max(...steps.map(({ step }) => step.length));
  const about = manifest
    ? [
        `session ${manifest.session} of tenant ${manifest.tenant}: ${manifest.events.count} events, content ${manifest.content}`,
        `log ${manifest.origin}, ${manifest.size} leaves; exported ${manifest.exportedAt} by version ${manifest.engine}`,
      ]
    : faults.map(({ detail }) => detail);
  return [
    `${file}: ${TITLES[outcome]}`,
    ...about.map((line) => `  ${line}`),
    '',
    ...steps.map(
      ({ step, status, detail }) => `  ${step.padEnd(width)}  ${MARKS[status].padEnd(11)}  ${detail}`,
    ),
    '',
    ...(manifest
      ? [
          TRUST[trust],
          `Witnesses: ${witnessText(report)}.`,
          'Not proven:',
          ...manifest.notProven.map((line) => `  - ${line}`),
        ]
      : ['Nothing was proven.']),
  ].join('\n');
};
