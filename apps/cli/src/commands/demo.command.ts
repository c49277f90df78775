import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { withPalimpsest } from '../session-run.js';
import { tour } from './demo-tour.js';

/** `palimpsest demo`: the whole idea on a real session, in under a minute. */
export const demoCommand = (): Command =>
  new Command('demo')
    .description('Import and compact a sample session, step by step')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withPalimpsest(options, (palimpsest) => tour(palimpsest, options));
    });
