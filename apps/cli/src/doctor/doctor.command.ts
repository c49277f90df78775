import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import type { GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import type { CheckResult } from './checks.js';

/** `palimpsest doctor`: problems of this machine with their remedies. Exit code 1 if a check fails. */
export const doctorCommand = (): Command =>
  withNotes(new Command('doctor'), {
    details:
      'Changes nothing, and sends no key to a provider. Exit code 1 if a check fails; warnings concern a part only.',
    json: 'array of `check`, `status` (`ok`, `warn`, `fail`), `found`, `advice` (or `null`)',
    guide: 'run.md#doctor',
  })
    .description('Check Node, data folder, port, service, keys, upstreams and agents')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { examine } = await import('./examine.js');
      const results = await examine(options);
      if (options.json) printJson(results);
      else print(render(results));
      if (results.some(({ status }) => status === 'fail')) process.exitCode = 1;
    });

const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

const render = (results: readonly CheckResult[]): string => {
  const width = Math.max(...results.map(({ check }) => check.length));
  const lines = results.map(
    ({ check, status, found, advice }) =>
      `${MARKS[status]}  ${check.padEnd(width)}  ${found}${advice === null ? '' : `: ${advice}`}`,
  );
  const failed = results.filter(({ status }) => status === 'fail').length;
  const warned = results.filter(({ status }) => status === 'warn').length;
  return [
    ...lines,
    '',
    failed + warned === 0 ? 'All is well.' : `${failed} failed, ${warned} with warnings.`,
  ].join('\n');
};
