import { TenantId } from '@app/kernel';
import { specificationOf } from '@app/testing';
import type { TenantCommand } from '../commands.js';
import { decide } from '../decide/decide.js';
import type { TenantEvent } from '../events.js';
import { evolve } from '../evolve.js';
import { initialTenant } from '../state.js';
import type { SummarizerLink, TenantSummarizers } from '../summarizers.js';

const tenantId = TenantId('acme');
const decider = { initialState: initialTenant(tenantId), evolve, decide };
const given = specificationOf<ReturnType<typeof initialTenant>, TenantCommand, TenantEvent>(decider);
const registered: TenantEvent = { type: 'TenantRegistered', data: { tenantId, name: 'Acme' } };

const LINK: SummarizerLink = { provider: 'anthropic', model: 'claude-haiku-4-5', secret: 'anthropic-key' };
const CAREFUL: TenantSummarizers = {
  default: 'careful',
  summarizers: { careful: [LINK, { provider: 'extractive' }] },
};
const configure = (summarizers: TenantSummarizers): TenantCommand => ({
  type: 'ConfigureSummarizers',
  data: { tenantId, summarizers },
});
const configured: TenantEvent = { type: 'SummarizersConfigured', data: CAREFUL };

describe('summarizers of a tenant', () => {
  it('are recorded once', () => {
    given(registered).when(configure(CAREFUL)).then(configured);
    given(registered, configured).when(configure(CAREFUL)).thenNothing();
  });
  it('are replaced as a whole', () => {
    const none = { default: null, summarizers: {} };
    given(registered, configured).when(configure(none)).then({ type: 'SummarizersConfigured', data: none });
  });
  it('are rejected for an unknown tenant', () =>
    given().when(configure(CAREFUL)).thenRefuses('tenant-not-found'));

  it.each<[string, TenantSummarizers]>([
    ['an unknown default', { ...CAREFUL, default: 'other' }],
    ['a reserved name', { default: null, summarizers: { extractive: [LINK] } }],
    ['an empty chain', { default: null, summarizers: { careful: [] } }],
    ['a chain of nine', { default: null, summarizers: { careful: Array(9).fill(LINK) } }],
  ])('are rejected with %s', (_, wanted) =>
    given(registered).when(configure(wanted)).thenRefuses('invalid-settings'),
  );
});
