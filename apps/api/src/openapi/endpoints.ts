import { readFileSync } from 'node:fs';
import type { Json } from '@app/kernel';
import { installed } from '@app/ports';
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
export const readExamples = (): Examples => JSON.parse(readFileSync(installed(FILE), 'utf8'));
