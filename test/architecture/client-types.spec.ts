import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { PUBLIC_MODULES, ROUTE_MODULES } from '../../apps/api/src/api.module.js';
import { openApiOf } from '../../apps/api/src/openapi/document.js';
import { endpointsIn } from '../../apps/api/src/openapi/endpoints.js';
import { clientTypes } from './support/client-types.js';
import { place, textOf } from './support/project.js';

const FILE = 'libs/client/src/types.ts';

it('contains current types of the client (`npm run client-types` writes them)', () => {
  const types = clientTypes(openApiOf(endpointsIn([...PUBLIC_MODULES, ...ROUTE_MODULES]), {}));
  if (process.env.UPDATE_CLIENT_TYPES === '1') writeFileSync(place(FILE), types);
  expect(textOf(FILE)).toBe(types);
});
