import { PlanCompaction, RequestCompaction } from '@app/application';
import type { ProfileSource } from '@app/domain';
import { Actor, SessionId } from '@app/kernel';
import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { planView, renderPlan } from '../output/plan-view.js';
import { print, printJson } from '../output/print.js';
import { outcomeView, renderOutcome } from '../output/render-outcome.js';
import { profileSource } from '../profile-option.js';
import { withPalimpsest } from '../session-run.js';

type Options = GlobalOptions & {
  readonly profile?: ProfileSource;
  readonly instructions?: string;
  readonly dryRun?: boolean;
};

/** `palimpsest compact SESSION`: compacts now, and waits for the outcome. */
export const compactCommand = (): Command =>
  new Command('compact')
    .description('compact a session now, or show what that would do')
    .argument('<session>', 'as `palimpsest sessions` names it')
    .option(
      '--profile <profile>',
      "another policy than the session's, for this one compaction",
      profileSource,
    )
    .option('--instructions <text>', 'what the summary should dwell on')
    .option('--dry-run', 'print the plan and change nothing')
    .action((session: string, _, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const ref = { tenant: options.tenant, session: SessionId(session) };
      const show = (view: object, text: string): void => (options.json ? printJson(view) : print(text));
      return withPalimpsest(options, async ({ commands, queries, outcomes }) => {
        const plan = planView(await queries.execute(new PlanCompaction(ref, options.profile)));
        if (options.dryRun) return show(plan, renderPlan(plan));

        const { profile, instructions } = options;
        const request = {
          trigger: 'explicit' as const,
          ...(profile !== undefined && { profile }),
          ...(instructions !== undefined && { instructions }),
        };
        const requested = await commands.execute(new RequestCompaction(ref, request, { actor: CLI }));
        const outcome = await outcomes.outcomeOf(ref, requested.compactionId);
        const view = outcomeView(outcome);
        show({ ...plan, ...view }, renderOutcome(plan, view));
        if (outcome.type === 'CompactionFailed') process.exitCode = 1;
      });
    });

const CLI = Actor('cli');
