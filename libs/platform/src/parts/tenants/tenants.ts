import { openKeyUses } from '@app/adapters/read-model-postgres';
import { KeyDirectory, TenantStore } from '@app/application';
import { part } from '../parts.js';

/** Tenants, and the directory of their API keys. */
export const TENANTS = [
  part('tenants', ['tenantLog'], ({ tenantLog }) => new TenantStore(tenantLog)),
  part('uses', ['database'], ({ database }) => openKeyUses(database)),
  part(
    'directory',
    ['subscriptions', 'tenants', 'clock', 'onProblem'],
    ({ subscriptions, tenants, clock, onProblem }) => {
      const directory = new KeyDirectory({ subscriptions, clock, onError: onProblem('key-directory') });
      tenants.onRecorded((tenant, events) => directory.hear(tenant, events));
      return directory;
    },
  ),
];
