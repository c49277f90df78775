import { explainProfile, listProfiles } from '@app/application';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import type { GlobalOptions } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { print, printJson } from '../output/print.js';
import { profileSource } from '../profile-option.js';

const PROFILES_JSON = '`name`, `mode`, `stages`, `description`';
const NO_SERVER = 'Needs no server.';

/**
 * Defines `palimpsest profiles …`, which shows the built-in profiles; they are part of the package, so no server
 * starts.
 */
export const profilesCommand = (): Command =>
  new Command('profiles')
    .description('List profiles or show one')
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(showCommand());

const PROFILE_COLUMNS: readonly Column<ReturnType<typeof listProfiles>[number]>[] = [
  { name: 'profile', of: ({ name }) => name },
  { name: 'mode', of: ({ mode }) => mode },
  { name: 'description', of: ({ description }) => description, cutTo: 40 },
  { name: 'stages', of: ({ stages }) => stages.join(', '), cutTo: 20 },
];

const FIELD_COLUMNS: readonly Column<ReturnType<typeof explainProfile>[number]>[] = [
  { name: 'field', of: ({ field }) => field },
  { name: 'value', of: ({ value }) => (Array.isArray(value) ? value.join(', ') : String(value)), cutTo: 12 },
  { name: 'changed', of: ({ isDefault }) => (isDefault ? '' : 'yes') },
  { name: 'meaning', of: ({ description }) => description, cutTo: 20 },
  { name: 'rules', of: ({ theme }) => theme, cutTo: 8 },
];

const listCommand = (): Command =>
  withNotes(new Command('list'), {
    details: NO_SERVER,
    json: `array of ${PROFILES_JSON}`,
    guide: 'compaction.md#profiles',
  })
    .description('List profiles, the default first (default)')
    .action((_, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const profiles = listProfiles();
      if (json) printJson(profiles);
      else print(fittingTable(PROFILE_COLUMNS, profiles));
    });

const showCommand = (): Command =>
  withNotes(new Command('show'), {
    details: `\`*\` marks values that differ from \`core\`. ${NO_SERVER}`,
    json: '`profile` and `fields`: array of `field`, `value`, `theme`, `description`, `expects`, `isDefault`',
    examples: ['palimpsest profiles show my-profile.json'],
    guide: 'compaction.md#a-profile-of-your-own',
  })
    .description('Show all fields of a profile')
    .argument('<profile>', 'as `palimpsest profiles` names it, or a JSON file')
    .action((name: string, _, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const fields = explainProfile(profileSource(name));
      if (json) printJson({ profile: name, fields });
      else print(fittingTable(FIELD_COLUMNS, fields));
    });
