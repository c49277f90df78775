import { ChangeSettings } from '@app/application';
import type { ProfileSource } from '@app/domain';
import { HUGE_NUMBER, isJsonObject, type Json, type JsonObject, readJson, setMember } from '@app/kernel';
import { type Command, InvalidArgumentError } from 'commander';
import { modelName, windowSize } from '../options.js';
import { profileSource } from '../profile-option.js';
import { textOrFile } from '../text-of.js';
import { tools } from '../tools-option.js';
import { sessionCommand } from './session-command.js';

type Options = {
  readonly profile?: ProfileSource;
  readonly window?: number;
  readonly model?: string;
  readonly system?: string;
  readonly tools?: readonly JsonObject[];
  readonly set: JsonObject;
};

/** `palimpsest settings SESSION`: shows the settings in force, or changes them from the next check on. */
export const settingsCommand = (): Command =>
  sessionCommand<Options>(
    'settings',
    'show the settings of a session, or change them from the next request on',
    async ({ ref, options: { profile, window, model, system, tools: given, set }, palimpsest, caller }) => {
      const change = {
        ...(profile !== undefined && { profile }),
        ...(window !== undefined && { window }),
        ...(model !== undefined && { model }),
        ...(system !== undefined && { systemPrompt: system }),
        ...(given && { tools: given }),
        ...(Object.keys(set).length > 0 && { overrides: set }),
      };
      const settings = await palimpsest.commands.execute(new ChangeSettings(ref, change, caller));
      const { name: _, description: __, ...fields } = settings.profile;
      const rows = Object.entries(fields).map(
        ([field, value]) => `${field.padEnd(24)}${JSON.stringify(value)}`,
      );
      return {
        json: { session: ref.session, ...settings },
        text: [
          `model                   ${settings.model}`,
          `window                  ${settings.window}`,
          `profile                 ${settings.profile.name}`,
          ...rows,
          settings.changed.length > 0 ? `changed: ${settings.changed.join(', ')}` : 'nothing has changed',
        ].join('\n'),
      };
    },
  )
    .option('--profile <profile>', 'another profile: a name, or a JSON file', profileSource)
    .option('--window <tokens>', 'another window, such as 32k; 0 is unlimited', windowSize)
    .option('--model <model>', 'the model that the next requests go to', modelName)
    .option(
      '--system <text>',
      'the system prompt of the next requests; @FILE reads it from a file',
      textOrFile,
    )
    .option('--tools <json>', 'their tools, a JSON array; @FILE reads it from a file', tools)
    .option('--set <field=value>', 'one field of the profile; may be repeated', field, {});

const field = (text: string, before: JsonObject): JsonObject => {
  const [, name, value] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('give field=value');
  const fields = { ...before };
  setMember(fields, name, jsonOrText(value));
  return fields;
};

/** JSON where it is that; else the word itself. */
const jsonOrText = (text: string): Json => {
  const read = readJson(text);
  if ('value' in read) return isJsonObject(read.value) ? text : read.value;
  if (read.fault === HUGE_NUMBER) throw new InvalidArgumentError(`it ${HUGE_NUMBER}`);
  return text;
};
