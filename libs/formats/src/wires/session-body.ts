import { type Manifest, recallTool } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import type { SystemForm, Wire } from './wire.js';
import { itemsOfSession, type Origin } from './write-body.js';

/**
 * Returns a request of one of OpenAI’s APIs with a session's items as exchanged between client and provider, which
 * matches the provider's prompt cache.
 */
export const sessionBody = (
  wire: Wire,
  manifest: Manifest,
  origin: Origin,
  systemAs: SystemForm | undefined,
): JsonObject => {
  const { model, tools } = manifest;
  const system = manifest.system.filter((text) => text !== '');
  const isApart = (systemAs ?? 'instructions') === 'instructions' && wire.name === 'openai-responses';
  const role = systemAs === 'developer' ? 'developer' : 'system';
  const head = isApart ? [] : system.map((content) => ({ role, content }));
  return {
    model,
    ...(isApart && system.length > 0 && { instructions: system.join('\n\n') }),
    [wire.history]: [...head, ...itemsOfSession(wire, manifest, origin)],
    // The session's tools are in the form of this API; the one of this engine is written in it.
    ...(tools.length > 0 && { tools: tools.map((tool) => (tool === recallTool ? wire.recall.tool : tool)) }),
  };
};
