import { type JsonObject, ownMember } from '@app/kernel';
import type { EndpointFacts } from '../http/endpoint.js';
import { ABOUT, SECURITY_SCHEMES, SERVERS, TAG_OBJECTS } from './about.js';
import { Components } from './components.js';
import type { Examples } from './endpoints.js';
import { operationOf } from './operation.js';

/** Returns the OpenAPI 3.1 document of `endpoints`. `examples` are recorded exchanges by operation ID. */
export const openApiOf = (endpoints: readonly EndpointFacts[], examples: Examples): JsonObject => {
  const components = new Components();
  const paths = new Map<string, Record<string, JsonObject>>();
  for (const endpoint of endpoints) {
    const path = `/${templateOf(endpoint.path)}`;
    const operation = operationOf(endpoint, components, ownMember(examples, endpoint.id));
    paths.set(path, { ...paths.get(path), [endpoint.method.toLowerCase()]: operation });
  }
  return {
    openapi: '3.1.0',
    info: ABOUT,
    servers: SERVERS,
    tags: TAG_OBJECTS,
    paths: Object.fromEntries(paths),
    components: { ...components.all, securitySchemes: SECURITY_SCHEMES },
  };
};

/** Returns the path of a route with its parameters in braces; the rest of a path is that of a tile. */
const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}').replace('*', '{tile}');
