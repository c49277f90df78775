import { ChangeSettings } from '@app/application';
import type { ProfileSource } from '@app/domain';
import {
  defined,
  HUGE_NUMBER,
  isJsonObject,
  type Json,
  type JsonObject,
  readJson,
  setMember,
} from '@app/kernel';
import { type Command, InvalidArgumentError } from 'commander';
import { label, labelName, project, title } from '../description-options.js';
import { modelName, windowSize } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { labelsText } from '../output/value-text.js';
import { profileSource } from '../profile-option.js';
import { sessionCommand } from '../result-command.js';
import { textOrFile } from '../text-of.js';
import { tools } from '../tools-option.js';

type Options = {
  readonly profile?: ProfileSource;
  readonly window?: number;
  readonly model?: string;
  readonly system?: string;
  readonly tools?: readonly JsonObject[];
  readonly set: JsonObject;
  /** An empty title removes the current one. */
  readonly title?: string;
  readonly project?: string;
  readonly label: Readonly<Record<string, string>>;
  readonly removeLabel: readonly string[];
};

/** Defines `palimpsest settings SESSION`, which shows or changes the session's settings from the next check on. */
export const settingsCommand = (): Command =>
  sessionCommand<Options>(
    'settings',
    'Show or change the settings of a session',
    {
      details: 'Changes apply from the next request on. Without options, shows the settings.',
      json: '`session`, `profile` (every field), `window`, `model`, `title`, `project`, `labels`, `changed` (names of changed settings)',
      examples: ['palimpsest settings SESSION --window 200k --set trigger=0.8'],
      guide: 'managing-sessions.md#settings',
    },
    async ({ ref, options, palimpsest, caller }) => {
      const { profile, window, model, system, tools: requestTools, set } = options;
      const change = {
        ...defined({ profile, window, model, systemPrompt: system, tools: requestTools }),
        ...(Object.keys(set).length > 0 && { overrides: set }),
        ...descriptionIn(options),
      };
      const settings = await palimpsest.commands.execute(new ChangeSettings(ref, change, caller));
      const { name: _, description: __, ...fields } = settings.profile;
      const rows = [
        { name: 'model', value: settings.model },
        { name: 'window', value: settings.window },
        { name: 'profile', value: settings.profile.name },
        { name: 'title', value: settings.title },
        { name: 'project', value: settings.project },
        { name: 'labels', value: labelsText(settings.labels) },
        ...Object.entries(fields).map(([name, value]) => ({ name, value: JSON.stringify(value) })),
      ];
      return {
        json: { session: ref.session, ...settings },
        text: [
          fittingTable(COLUMNS, rows),
          ...(settings.changed.length > 0 ? [`changed: ${settings.changed.join(', ')}`] : []),
        ].join('\n'),
      };
    },
  )
    .option('--profile <profile>', 'another profile: a name, or a JSON file', profileSource)
    .option('--window <tokens>', 'another window, such as 32k; 0 is unlimited', windowSize)
    .option('--model <model>', 'model of the next requests', modelName)
    .option('--system <text>', 'system prompt of the next requests; @FILE reads it from a file', textOrFile)
    .option('--tools <json>', 'their tools, a JSON array; @FILE reads it from a file', tools)
    .option('--set <field=value>', 'one field of the profile; may be repeated', field, {})
    .option('--title <text>', "its title; '' removes it", orNone(title))
    .option('--project <project>', "its project; '' removes it", orNone(project))
    .option('--label <name=value>', 'a label to set; may be repeated', label, {})
    .option('--remove-label <name>', 'a label to remove; may be repeated', labelName, []);

type Row = { readonly name: string; readonly value: string | number | null };
const COLUMNS: readonly Column<Row>[] = [
  { name: 'setting', of: ({ name }) => name },
  { name: 'value', of: ({ value }) => value, cutTo: 20 },
];

const orNone =
  (parse: (text: string) => string) =>
  (text: string): string =>
    text === '' ? '' : parse(text);

const descriptionIn = ({ title: name, project: work, label: set, removeLabel }: Options) => {
  const labels: Record<string, string | null> = { ...set };
  for (const one of removeLabel) setMember(labels, one, null);
  return {
    ...(name !== undefined && { title: name === '' ? null : name }),
    ...(work !== undefined && { project: work === '' ? null : work }),
    ...(Object.keys(labels).length > 0 && { labels }),
  };
};

const field = (text: string, before: JsonObject): JsonObject => {
  const [, name, value] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('give field=value');
  const fields = { ...before };
  setMember(fields, name, jsonOrText(value));
  return fields;
};

/** Parses JSON; other text is a string. */
const jsonOrText = (text: string): Json => {
  const read = readJson(text);
  if ('value' in read) return isJsonObject(read.value) ? text : read.value;
  if (read.fault === HUGE_NUMBER) throw new InvalidArgumentError(`it ${HUGE_NUMBER}`);
  return text;
};
