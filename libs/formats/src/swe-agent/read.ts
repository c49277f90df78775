import type { Block } from '@app/domain';
import { defined, isJsonObject, type Json, type JsonObject, parseJson } from '@app/kernel';
import { isShallow, textBlocks } from '../drafts/content-blocks.js';
import type { Draft, DraftMessage, DraftSession } from '../drafts/draft.js';
import { asInserted } from '../drafts/inserted.js';
import { listIn, modelNameIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import { draftsOf, type LineRecord } from '../drafts/records.js';
import type { Entry } from '../lines/parse-line.js';
import { openAiConverter } from '../openai-messages/convert-message.js';
import { readItem } from '../wires/openai-responses/blocks.js';
import { openAiUsage } from '../wires/openai-usage.js';
import { isStep, isTurn } from './recognize.js';

/**
 * Reads trajectories of SWE-agent and mini-SWE-agent, whose history is OpenAI messages. Messages of further agents
 * form sessions of their own. Without a history the steps are read.
 */
export const readSweAgent = (entries: AsyncIterable<Entry>): AsyncIterable<Draft> => {
  let count = 0;
  let open: Trajectory | undefined;
  const next = (document: JsonObject): Trajectory => {
    count += 1;
    return new Trajectory(count, document);
  };
  function* take({ record, line, isContinued }: LineRecord): Generator<Draft> {
    if (open === undefined || !isContinued) {
      yield* open?.end() ?? [];
      open = next(record);
    }
    yield* open.take(record, line);
  }
  return draftsOf(entries, take, () => open?.end() ?? []);
};

class Trajectory {
  readonly #converters = new Map<string, ReturnType<typeof openAiConverter>>();
  readonly #model: string | undefined;
  /** Agents that have answered. */
  readonly #answered = new Set<string>();
  #main: string | undefined;
  #index = 0;
  #steps: readonly Json[] = [];
  #stepLine = 1;

  constructor(
    private readonly ordinal: number,
    document: JsonObject,
  ) {
    this.#model = modelOf(document);
  }

  *take(document: JsonObject, line: number): Generator<Draft> {
    const steps = listIn(document, 'trajectory');
    const turns = steps?.some(isTurn)
      ? steps.map((step) => (isTurn(step) ? messageOf(step) : step))
      : undefined;
    const history = listIn(document, 'history') ?? listIn(document, 'messages') ?? turns;
    if (steps !== undefined && this.#steps.length === 0) [this.#steps, this.#stepLine] = [steps, line];
    for (const item of history ?? []) {
      yield* this.#say(item, line);
      this.#index += 1;
    }
  }

  /** Yields messages from the steps, which contain less than a history. */
  *end(): Generator<Draft> {
    if (this.#index > 0) return;
    for (const step of this.#steps) {
      if (!isStep(step)) {
        yield {
          kind: 'skipped',
          line: this.#stepLine,
          reason: `holds no usable step at index ${this.#index}`,
        };
      } else {
        if (this.#index === 0) yield* this.#ask(step);
        const agent = this.#main ?? MAIN;
        yield* this.#say({ role: 'assistant', content: saidIn(step), agent }, this.#stepLine);
        const seen = stringIn(step, 'observation');
        if (seen !== undefined) yield* this.#say({ role: 'user', content: seen, agent }, this.#stepLine);
      }
      this.#index += 1;
    }
  }

  /** Yields the messages before the first step: instructions and task. */
  *#ask(step: JsonObject): Generator<Draft> {
    for (const item of listIn(step, 'query') ?? listIn(step, 'messages') ?? [])
      yield* this.#say(item, this.#stepLine);
  }

  *#say(item: Json, line: number): Generator<Draft> {
    // The end of the run, which no model receives.
    if (isJsonObject(item) && item.role === 'exit') return;
    const agent = (isJsonObject(item) && stringIn(item, 'agent')) || MAIN;
    const known = this.#converters.get(agent);
    const convert = known ?? openAiConverter();
    const message = isJsonObject(item) ? (responsesMessage(item) ?? convert(item)) : undefined;
    if (!isJsonObject(item) || message === undefined) {
      yield { kind: 'skipped', line, reason: `holds no usable message at index ${this.#index}` };
      return;
    }
    if (known === undefined) {
      this.#converters.set(agent, convert);
      yield { kind: 'session', session: this.#sessionOf(agent) };
    }
    const said = { ...message, ...metadataOf(item, message) };
    if (said.role === 'user' && this.#isInserted(item, agent)) asInserted(said.blocks);
    if (said.role === 'assistant' && item.is_demo !== true) this.#answered.add(agent);
    yield { kind: 'message', key: this.#keyOf(agent), message: said };
  }

  /** Only the task is user text: later messages in the user's place are command output. */
  #isInserted({ message_type: type, is_demo: isDemo }: JsonObject, agent: string): boolean {
    return type === 'demonstration' || type === 'observation' || isDemo === true || this.#answered.has(agent);
  }

  #sessionOf(agent: string): DraftSession {
    this.#main ??= agent;
    const ordinal = this.ordinal > 1 ? { ordinal: this.ordinal } : {};
    const chain = agent === this.#main ? {} : { chain: { name: agent, parentKey: this.#keyOf(this.#main) } };
    return {
      key: this.#keyOf(agent),
      ...ordinal,
      ...(this.#model !== undefined && { model: this.#model }),
      ...chain,
    };
  }

  #keyOf(agent: string): string {
    return `${this.ordinal} ${agent}`;
  }
}

const MAIN = 'main';

const saidIn = (step: JsonObject): string =>
  stringIn(step, 'response') ??
  [stringIn(step, 'thought'), stringIn(step, 'action')].filter((part) => part !== undefined).join('\n\n');

/** The model's role is `ai`; the instructions are a separate member. */
const messageOf = (turn: JsonObject): JsonObject => ({
  role: turn.role === 'ai' ? 'assistant' : turn.role,
  content: turn.text ?? turn.system_prompt,
});

/** Returns the metadata beside the message: in mini-SWE-agent, the response. */
const metadataOf = (item: JsonObject, { blocks }: DraftMessage): Partial<DraftMessage> => {
  const extra = objectIn(item, 'extra') ?? {};
  const response = objectIn(extra, 'response') ?? {};
  const model = modelNameIn(response);
  const usage = openAiUsage(objectIn(response, 'usage'), {
    input: 'prompt_tokens',
    output: 'completion_tokens',
  });
  const seconds = extra.timestamp;
  const createdAt = timeFrom(typeof seconds === 'number' ? seconds * 1000 : seconds);
  return {
    ...(blocks.length === 0 && { blocks: textBlocks(stringIn(item, 'thought') ?? '') }),
    ...(model !== undefined && { model }),
    ...(usage && { usage: { ...(model !== undefined && { model }), ...usage } }),
    ...(createdAt !== undefined && { createdAt }),
  };
};

/** The settings of the run name the model: SWE-agent has them as a text of JSON. */
const modelOf = (document: JsonObject): string | undefined => {
  const { replay_config: replay } = document;
  const settings = typeof replay === 'string' ? parseJson(replay) : replay;
  const agent = objectIn(isJsonObject(settings) ? settings : {}, 'agent') ?? {};
  const config = objectIn(objectIn(document, 'info') ?? {}, 'config') ?? {};
  return (
    modelNameIn(objectIn(agent, 'model') ?? {}, 'name') ??
    modelNameIn(objectIn(config, 'model') ?? {}, 'model_name') ??
    modelNameIn(document) ??
    modelNameIn(document, 'model_name')
  );
};

/**
 * Returns a message from OpenAI Responses as recorded by mini-SWE-agent: a response, or an item such as a call's
 * output; `undefined` for a chat message.
 */
const responsesMessage = ({ extra: _, ...item }: JsonObject): DraftMessage | undefined => {
  if (!isShallow(item)) return undefined;
  const output = item.object === 'response' ? listIn(item, 'output') : undefined;
  if (output !== undefined) return answerOf(item, output.filter(isJsonObject));
  return typeof item.type === 'string' && item.type !== 'message' ? readItem(item) : undefined;
};

const answerOf = (response: JsonObject, output: readonly JsonObject[]): DraftMessage => {
  const [id, model] = [stringIn(response, 'id'), modelNameIn(response)];
  const usage = openAiUsage(objectIn(response, 'usage'), { input: 'input_tokens', output: 'output_tokens' });
  const blocks: readonly Block[] = output.flatMap((item) => readItem(item).blocks);
  return {
    role: 'assistant',
    blocks,
    ...defined({ id, model }),
    ...(usage && { usage: { ...(model !== undefined && { model }), ...usage } }),
  };
};
