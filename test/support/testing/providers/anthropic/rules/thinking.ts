import type { JsonObject } from '@app/kernel';
import { objectOf, objectsIn } from '../../values/wire-values.js';
import { invalid } from '../failures/refusal.js';
import type { BlockContext } from './blocks.js';
import type { Refusals } from './refusals.js';
import { joined } from './tool-order.js';

const BINDING_CONTROLS = 'thinking-binding-controls-2026-08-01';

/** Yields faults in the turn that a request with thinking continues. */
export function* thinkingTurnRefusals({ thinking, messages }: JsonObject, { betas }: BlockContext): Refusals {
  const { type, block_binding: binding } = objectOf(thinking);
  if (binding != null && !betas.has(BINDING_CONTROLS))
    yield invalid(`thinking.${type}.block_binding: Extra inputs are not permitted`);
  const { prefix_mismatch_behavior: behaviour } = objectOf(binding);
  if (behaviour != null && behaviour !== 'error' && behaviour !== 'drop_block')
    yield invalid("thinking.block_binding.prefix_mismatch_behavior: Input should be 'error' or 'drop_block'");
  if (type !== 'enabled') return;
  const turns = joined(objectsIn(messages));
  const waiting = turns.at(-2);
  const first = waiting?.blocks[0]?.type;
  const isAnswered = turns.at(-1)?.blocks[0]?.type === 'tool_result';
  if (waiting && isAnswered && first !== 'thinking' && first !== 'redacted_thinking')
    yield invalid(
      `messages.${waiting.at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
    );
}
