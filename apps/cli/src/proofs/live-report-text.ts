import type { LiveReport } from '@app/application';
import { countText } from '../output/value-text.js';

const TITLES = {
  valid: 'VALID',
  invalid: 'INVALID: something was changed behind the back of the service',
  incomplete: 'INCOMPLETE: everything found is valid, but parts are missing',
  'unknown-key': 'UNKNOWN KEY: a log is not signed by a key of your policy',
  malformed: 'MALFORMED: a log cannot be read',
} as const;
const PARTS = [
  ['log', 'log'],
  ['events', 'events'],
  ['rows', 'rows'],
] as const;

/** Returns a report for people: one line for each part, and one for each thing that is not as it was recorded. */
export const liveReportText = (report: LiveReport): string => {
  const { outcome, findings, findingCount, newerEvents } = report;
  const isFound = (part: string): boolean => findings.some((finding) => finding.part === part);
  const more = findingCount - findings.length;
  return [
    `installation: ${TITLES[outcome]}`,
    ...PARTS.map(([part, name]) => {
      const mark = isFound(part) ? 'FAILED' : 'ok';
      return `  ${name.padEnd(6)}  ${mark.padEnd(6)}  ${detailOf(part, report)}`;
    }),
    ...(findings.length > 0 ? [''] : []),
    ...findings.map(({ tenant, detail }) => `  ${tenant === null ? '' : `tenant ${tenant}: `}${detail}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(newerEvents > 0 ? [`${countText(newerEvents, 'event')} newer than the newest checkpoint`] : []),
  ].join('\n');
};

const detailOf = (part: 'log' | 'events' | 'rows', report: LiveReport): string => {
  const { logs, leaves, events, rows, tables } = report;
  if (part === 'log')
    return `${countText(leaves, 'leaf', 'leaves')} of ${countText(logs, 'log')}, against the signed checkpoints`;
  if (part === 'events') return `${countText(events, 'event')}, against their leaves`;
  return `${countText(rows, 'row')} of ${tables} tables, against the events`;
};
