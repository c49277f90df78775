import { FindSubjects, OpenChildSession, OpenSession } from '@app/application';
import { type ProfileSource, UNKNOWN_MODEL } from '@app/domain';
import { AppError, defined, type JsonObject, type SessionId } from '@app/kernel';
import type { Command } from 'commander';
import { agent, customer, label, project, title, user, withIdentity } from '../description-options.js';
import { modelName, sessionId, windowSize } from '../options.js';
import { profileSource } from '../profile-option.js';
import { sessionCommand } from '../result-command.js';
import { subjectNames } from '../tenants/erase.command.js';
import { textOrFile } from '../text-of.js';
import { tools } from '../tools-option.js';

type Options = {
  readonly model: string;
  readonly window?: number;
  readonly profile: ProfileSource;
  readonly system: string;
  readonly tools: readonly JsonObject[];
  readonly parent?: SessionId;
  readonly mandate?: string;
  readonly title?: string;
  readonly agent?: string;
  readonly project?: string;
  readonly user?: string;
  readonly customer?: string;
  readonly label: Readonly<Record<string, string>>;
  readonly subject: readonly string[];
};

/** Defines `palimpsest open SESSION`, which opens a session, alone or as the child of another. */
export const openCommand = (): Command =>
  sessionCommand<Options>(
    'open',
    'Open a session',
    {
      details: 'Repeating the same command changes nothing.',
      json: '`session`, `model`, `window`, `windowSource`, `parent` (or `null`)',
      examples: ['palimpsest open main --model claude-opus-5-5 --system @system.md --label team=a'],
      guide: 'managing-sessions.md#messages',
    },
    async ({ ref, options, palimpsest, caller }) => {
      const {
        model,
        profile,
        window,
        system,
        tools,
        parent,
        mandate,
        label,
        title: name,
        agent: program,
        project: work,
      } = options;
      if (mandate !== undefined && parent === undefined) {
        throw new AppError('invalid-settings', 'a mandate is the task of a child session: give --parent too');
      }
      const subjects = await palimpsest.queries.execute(new FindSubjects(ref.tenant, options.subject));
      const own = {
        model,
        profile,
        ...(window !== undefined && { window }),
        systemPrompt: system,
        tools,
        ...defined({ title: name, agent: program, project: work }),
        labels: withIdentity(label, options),
        ...(subjects.length > 0 && { subjects }),
      };
      const command =
        parent === undefined
          ? new OpenSession(ref, own, caller)
          : new OpenChildSession(ref, { ...own, parent, ...(mandate !== undefined && { mandate }) }, caller);
      const { limits } = await palimpsest.commands.execute(command);
      const { window: tokens, windowSource } = limits;
      return {
        json: { session: ref.session, model, window: tokens, windowSource, parent: parent ?? null },
        text: `${ref.session} is open: ${tokens === 0 ? 'an unlimited window' : `${tokens} tokens`}${parent === undefined ? '' : `, a child of ${parent}`}`,
      };
    },
  )
    .option('--model <model>', 'model of its requests', modelName, UNKNOWN_MODEL)
    .option('--window <tokens>', "its window, such as 32k; 0 is unlimited (default: the model's)", windowSize)
    .option('--profile <profile>', 'its policy: a name, or a JSON file', profileSource, 'core')
    .option('--system <text>', 'its system prompt; @FILE reads it from a file', textOrFile, '')
    .option('--tools <json>', 'its tools, a JSON array; @FILE reads it from a file', tools, [])
    .option('--parent <session>', 'parent session', sessionId)
    .option(
      '--mandate <text>',
      'task of a child session, which is pinned; @FILE reads it from a file',
      textOrFile,
    )
    .option('--title <text>', 'its title; visible without content permission', title)
    .option('--agent <agent>', 'agent program, such as claude-code', agent)
    .option('--project <project>', 'a working folder, a repository or a name', project)
    .option('--user <id>', 'user ID, stored as label "user"', user)
    .option('--customer <id>', 'customer ID, stored as label "customer" and as a data subject', customer)
    .option('--label <name=value>', 'a label; may be repeated', label, {})
    .option('--subject <name>', 'data subject of its content; may be repeated', subjectNames, []);
