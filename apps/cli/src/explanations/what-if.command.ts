import { WhatIf } from '@app/application';
import type { ProfileSource } from '@app/domain';
import type { Command } from 'commander';
import { profileSources } from '../profile-option.js';
import { sessionCommand } from '../result-command.js';
import { whatIfText } from './views/render-what-if.js';

type Options = { readonly profile: readonly ProfileSource[] };

/** Defines `palimpsest what-if SESSION`, which plans a compaction under several profiles side by side. */
export const whatIfCommand = (): Command =>
  sessionCommand<Options>(
    'what-if',
    'Compare the result of a compaction by profile; records nothing',
    {
      details: 'Records nothing.',
      json: '`session`, `tokens`, `window`, `state`, `inFlight`, `outcomes`',
      guide: 'audit.md#what-if',
    },
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
