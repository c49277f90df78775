import { FindSubjects, OpenChildSession, OpenSession } from '@app/application';
import { type ProfileSource, UNKNOWN_MODEL } from '@app/domain';
import { AppError, type JsonObject, SessionId } from '@app/kernel';
import { type Command, InvalidArgumentError } from 'commander';
import { agent, customer, label, project, title, user, withIdentity } from '../description-options.js';
import { modelName, windowSize } from '../options.js';
import { profileSource } from '../profile-option.js';
import { sessionCommand } from '../session-command.js';
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
  sessionCommand<Options>('open', 'Open a session', async ({ ref, options, palimpsest, caller }) => {
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
      throw new AppError('invalid-settings', 'a mandate is what a child session is told: give --parent too');
    }
    const subjects = await palimpsest.queries.execute(new FindSubjects(ref.tenant, options.subject));
    const own = {
      model,
      profile,
      ...(window !== undefined && { window }),
      systemPrompt: system,
      tools,
      ...(name !== undefined && { title: name }),
      ...(program !== undefined && { agent: program }),
      ...(work !== undefined && { project: work }),
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
  })
    .option('--model <model>', 'the model that its requests go to', modelName, UNKNOWN_MODEL)
    .option('--window <tokens>', "its window, such as 32k; 0 is unlimited (default: the model's)", windowSize)
    .option('--profile <profile>', 'its policy: a name, or a JSON file', profileSource, 'core')
    .option('--system <text>', 'its system prompt; @FILE reads it from a file', textOrFile, '')
    .option('--tools <json>', 'its tools, a JSON array; @FILE reads it from a file', tools, [])
    .option('--parent <session>', 'the session that it is a child of', parentId)
    .option('--mandate <text>', 'what a child is told to do: pinned; @FILE reads it from a file', textOrFile)
    .option('--title <text>', 'its title: metadata that every reader sees', title)
    .option('--agent <agent>', 'the program that carries it on, such as claude-code', agent)
    .option('--project <project>', 'a working folder, a repository or a name', project)
    .option('--user <id>', 'the user it works for: its label "user"', user)
    .option('--customer <id>', 'your customer: its label "customer", and a data subject', customer)
    .option('--label <name=value>', 'a label; may be repeated', label, {})
    .option('--subject <name>', 'a data subject whose content it is; may be repeated', subjectNames, []);

const parentId = (text: string): SessionId => {
  try {
    return SessionId(text);
  } catch {
    throw new InvalidArgumentError('not a valid session id');
  }
};
