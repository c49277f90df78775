import { LIMITS } from '@app/kernel';
import { parseSessionEvent, parseStoredEvent, parseTenantEvent } from './schema.js';

const message = { id: 'm', role: 'user', blocks: [{ type: 'text', text: 'hello' }] };
const appended = { message, tokens: 1, blockTokens: [1], estimator: 'e' };
const call = { type: 'tool_use', id: 'c', name: 'read', input: {} };
const pruned = { outputs: [], kept: 0, pruned: 0, turn: 1, occupancyAfter: 0 };
const output = { messageId: 'm', callId: 'c', freed: 1 };
const limits = { requestsPerSecond: 1, requestsPerMinute: 1, tokensPerMinute: 1 };
const skipped = { projection: 'audit', revision: 1, position: '7', reason: '' };
const counted = { turn: 1, model: '', counter: 'provider', tokens: 1, estimated: 1, contributed: 0 };

describe('the schemas of stored events', () => {
  it.each([
    ['MessageAppended', appended],
    ['MessageAppended', { ...appended, message: { ...message, addedLater: 1 }, addedLater: 1 }],
    ['ToolOutputsPruned', { ...pruned, outputs: [output] }],
    ['ToolOutputsPruned', { ...pruned, outputs: [{ ...output, by: 'prune' }] }],
    ['RequestCounted', { ...counted, omittedTokens: -1 }],
    ['CompactionMadeNoProgress', { compactionId: 'c', compactions: 2, occupancyAfter: 0, threshold: 0 }],
    ['LimitsChanged', { limits }],
    ['TenantEventSkipped', skipped],
    ['ErasurePolicyChanged', { people: 2, changedBy: 'k', changedAt: '2026-11-28T10:00:00.000Z' }],
  ])('accept a %s', (type, data) => {
    expect(parseStoredEvent(type, data)).toEqual({ type, data });
  });

  it.each([
    ['a missing member', 'MessageAppended', { ...appended, tokens: undefined }],
    ['a fraction', 'MessageAppended', { ...appended, tokens: 0.5 }],
    ['a number below 0', 'MessageAppended', { ...appended, blockTokens: [-1] }],
    ['an empty name', 'MessageAppended', { ...appended, estimator: '' }],
    ['an unknown word', 'MessageAppended', { ...appended, message: { ...message, role: 'tool' } }],
    ['a day as a time', 'MessageAppended', { ...appended, message: { ...message, createdAt: '2026-11-28' } }],
    ['a list as an object', 'MessageAppended', { ...appended, message: { ...message, blocks: [[]] } }],
    [
      'a call without a name',
      'MessageAppended',
      { ...appended, message: { ...message, blocks: [{ ...call, name: undefined }] } },
    ],
    [
      'the name of a model that is too long',
      'MessageAppended',
      { ...appended, message: { ...message, model: 'm'.repeat(LIMITS.modelName.max + 1) } },
    ],
    [
      'a call ID that is too long',
      'ToolOutputsPruned',
      { ...pruned, outputs: [{ ...output, callId: 'c'.repeat(LIMITS.callId.max + 1) }] },
    ],
    ['0 for a number from 1', 'LimitsChanged', { limits: { ...limits, requestsPerSecond: 0 } }],
    ['a position that is no number', 'TenantEventSkipped', { ...skipped, position: '-7' }],
    ['an unknown type', 'NoSuchEvent', {}],
  ])('reject %s', (_, type, data) => {
    expect(parseStoredEvent(type, data)).toBeUndefined();
  });

  it('belong to a session or to a tenant', () => {
    expect(parseTenantEvent('MessageAppended', appended)).toBeUndefined();
    expect(parseSessionEvent('LimitsChanged', { limits })).toBeUndefined();
  });
});
