import type { Block } from '@app/domain';
import { textBlock } from '@app/domain';
import { isJsonObject, type JsonObject } from '@app/kernel';
import { stringIn } from '../drafts/members.js';

/** Calls that wait for their results at most; more than that never get one. */
const WAITING_MAX = 1_000;

/** Tools that the user has called himself: no answer of the model's asks for their results. */
export class UserCalls {
  readonly #waiting = new Map<string, JsonObject>();

  add(call: JsonObject): void {
    const id = stringIn(call, 'toolCallId');
    if (id === undefined) return;
    this.#waiting.set(id, call);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > WAITING_MAX && oldest !== undefined) this.#waiting.delete(oldest);
  }

  /** The call that a result answers, once. */
  take(id: string): JsonObject | undefined {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    return call;
  }
}

/** Returns the text of a tool call by the user, with its result. */
export const asTold = (call: JsonObject, content: string | readonly Block[]): readonly Block[] => {
  const { arguments: given } = call;
  const command = isJsonObject(given) ? stringIn(given, 'command') : undefined;
  const words = command ?? (typeof given === 'string' ? given : JSON.stringify(given ?? {}));
  const asked = `User executed ${stringIn(call, 'toolName') ?? 'a tool'}:\n${words}`;
  return typeof content === 'string'
    ? [textBlock(`${asked}\n\nResult:\n${content}`)]
    : [textBlock(asked), ...content];
};
