import { WhatIf } from '@app/application';
import type { ProfileSource } from '@app/domain';
import type { Command } from 'commander';
import { sessionCommand } from '../managing/session-command.js';
import { profileSources } from '../profile-option.js';
import { whatIfText } from './rendering/render-what-if.js';

type Options = { readonly profile: readonly ProfileSource[] };

/** `palimpsest what-if SESSION`: what a compaction would do now, under several profiles side by side. */
export const whatIfCommand = (): Command =>
  sessionCommand<Options>(
    'what-if',
    'show what a compaction would do now, profile by profile, and record nothing',
    async ({ ref, options, palimpsest }) => {
      const view = await palimpsest.queries.execute(new WhatIf(ref, options.profile));
      return { json: { session: ref.session, ...view }, text: whatIfText(view) };
    },
  ).option(
    '--profile <profile>',
    'this profile, or JSON file of one; may be repeated (default: all)',
    profileSources,
    [],
  );
