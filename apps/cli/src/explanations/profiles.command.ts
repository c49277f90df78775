import { explainProfile, listProfiles } from '@app/application';
import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { profileSource } from '../profile-option.js';

/** `palimpsest profiles …`: the policies that ship. They are data of this edition, so that no server is started. */
export const profilesCommand = (): Command =>
  new Command('profiles')
    .description('List profiles or show one')
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(showCommand());

const listCommand = (): Command =>
  new Command('list')
    .description('List profiles, the default first (default)')
    .action((_, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const profiles = listProfiles();
      if (json) printJson(profiles);
      else
        print(
          table(
            ['profile', 'mode', 'stages', 'description'],
            profiles.map(({ name, mode, stages, description }) => [
              name,
              mode,
              stages.join(', '),
              description,
            ]),
          ),
        );
    });

const showCommand = (): Command =>
  new Command('show')
    .description('Show all fields of a profile')
    .argument('<profile>', 'as `palimpsest profiles` names it, or a JSON file')
    .action((name: string, _, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const fields = explainProfile(profileSource(name));
      if (json) printJson({ profile: name, fields });
      else
        print(
          table(
            ['field', 'value', '', 'rules', 'meaning'],
            fields.map(({ field, value, isDefault, theme, says }) => [
              field,
              Array.isArray(value) ? value.join(', ') : String(value),
              isDefault ? '' : '*',
              theme,
              says,
            ]),
          ),
        );
    });
