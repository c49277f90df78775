import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { invariant, type Json } from '@app/kernel';
import type { Type } from '@nestjs/common';
import { type EndpointFacts, endpointOf } from '../http/endpoint.js';

/** Returns every endpoint of `controllers`, in the order of their declaration. */
export const endpointsIn = (controllers: readonly Type[]): readonly EndpointFacts[] =>
  controllers.flatMap(({ prototype }) =>
    Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) => {
      const endpoint = typeof value === 'function' ? endpointOf(value) : undefined;
      return endpoint ? [endpoint] : [];
    }),
  );

/** JSON bodies of a recorded exchange. */
export type Example = { readonly request?: Json; readonly answer?: Json };
/** By operation ID. */
export type Examples = Readonly<Record<string, Example>>;

const FILE = 'docs/openapi/examples.json';

/** Reads the recorded exchanges of this installation. */
export const readExamples = (): Examples => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, FILE);
    if (existsSync(found)) return JSON.parse(readFileSync(found, 'utf8'));
    invariant(folder !== dirname(folder), `the file ${FILE} is missing from this installation`);
  }
};
