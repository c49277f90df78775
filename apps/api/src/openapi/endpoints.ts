import { type EndpointFacts, endpointOf } from '../http/endpoint.js';

/** Returns every endpoint that the controllers of `modules` declare, in the order of their declaration. */
export const endpointsIn = (modules: readonly object[]): readonly EndpointFacts[] =>
  modules.flatMap(controllersOf).flatMap((controller) =>
    Object.values(Object.getOwnPropertyDescriptors(controller.prototype)).flatMap(({ value }) => {
      const endpoint = typeof value === 'function' ? endpointOf(value) : undefined;
      return endpoint ? [endpoint] : [];
    }),
  );

const controllersOf = (module: object): readonly { readonly prototype: object }[] => [
  ...(Reflect.getMetadata('controllers', module) ?? []),
  ...(Reflect.getMetadata('imports', module) ?? []).flatMap(controllersOf),
];
