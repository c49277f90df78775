import { PlanCompaction, RequestCompaction, WhatIf } from '@app/application';
import type { ProfileSource } from '@app/domain';
import { AppError, defined, SessionId } from '@app/kernel';
import { Command, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import { whatIfText } from '../explanations/views/render-what-if.js';
import type { GlobalOptions } from '../options.js';
import { renderPlan } from '../output/plan-view.js';
import { print, printJson } from '../output/print.js';
import { renderOutcome } from '../output/render-outcome.js';
import { profileSources } from '../profile-option.js';
import { CLI } from '../result-command.js';
import { withService } from '../session-run.js';

type Options = GlobalOptions & {
  readonly profile: readonly ProfileSource[];
  readonly instructions?: string;
  readonly dryRun?: boolean;
  readonly afterTurn?: boolean;
  readonly trigger: 'explicit' | 'policy';
};

/** Defines `palimpsest compact SESSION`, which compacts now, or at the end of the turn, and waits for the outcome. */
export const compactCommand = (): Command =>
  withNotes(new Command('compact'), {
    details:
      'Waits for the outcome. A failed compaction ends with exit code 1, a skipped one with 0. With several profiles --dry-run prints the result of `what-if`.',
    json: '`plan` (`null` with a `reason` without one); after a run also `outcome` (`completed`, `failed`, `skipped`, `cancelled` or `deferred`), `compactionId`, and by outcome `trigger`, `countedBefore`, `countedAfter`, `billedBefore`, `billedAfter`, `retention`, `summary`, `attempts`, `error`, `reason`, `by`',
    examples: [
      'palimpsest compact SESSION --dry-run',
      'palimpsest compact SESSION --instructions "Keep all file names."',
    ],
    guide: 'compaction.md',
  })
    .description('Compact a session, or print the plan with --dry-run')
    .argument('<session>', 'session ID')
    .option(
      '--profile <profile>',
      "policy in place of the session's, for this compaction; may be repeated with --dry-run",
      profileSources,
      [],
    )
    .option('--instructions <text>', 'focus of the summary')
    .option('--dry-run', 'print the plan and change nothing')
    .addOption(new Option('--after-turn', 'wait for the end of the current turn').conflicts('trigger'))
    .addOption(
      new Option('--trigger <trigger>', 'cause: the user, or the policy of a workflow')
        .choices(['explicit', 'policy'])
        .default('explicit'),
    )
    .action((session: string, _, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const { instructions, dryRun = false } = options;
      const [profile, ...others] = options.profile;
      if (others.length > 0 && !dryRun) throw oneProfile();
      const ref = { tenant: options.tenant, session: SessionId(session) };
      const show = (view: object, text: string): void => (options.json ? printJson(view) : print(text));
      return withService(options, async (service) => {
        const { commands, queries } = service;
        if (others.length > 0) {
          const view = await queries.execute(new WhatIf(ref, options.profile));
          return show({ session: ref.session, ...view }, whatIfText(view));
        }
        const plan = await queries.execute(new PlanCompaction(ref, profile));
        if (dryRun) return show(plan, renderPlan(plan));

        const { afterTurn, trigger } = options;
        const request = {
          trigger: afterTurn ? ('requested-mid-turn' as const) : trigger,
          ...defined({ profile, instructions }),
        };
        const requested = await commands.execute(new RequestCompaction(ref, request, CLI));
        if (requested.status === 'deferred') {
          const { compactionId } = requested;
          const text = `${compactionId} runs when the turn ends: \`palimpsest complete-turn ${session}\``;
          return show({ ...plan, outcome: 'deferred', compactionId }, text);
        }
        const view = await service.outcome(ref, requested.compactionId);
        show({ ...plan, ...view }, renderOutcome(plan, view));
        if (view.outcome === 'failed') process.exitCode = 1;
      });
    });

const oneProfile = (): AppError =>
  new AppError(
    'invalid-settings',
    'a compaction runs under one profile: give one, or --dry-run to see several',
  );
