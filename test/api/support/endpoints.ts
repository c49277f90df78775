import 'reflect-metadata';
import type { Role } from '@app/ports';
import { z } from 'zod';
import { PUBLIC_CONTROLLERS, ROUTE_CONTROLLERS } from '../../../apps/api/src/api.module.js';
import type { ContentOfAnswer } from '../../../apps/api/src/http/content/content.js';
import { holdsSecret } from '../../../apps/api/src/http/shown-once.js';
import { endpointsIn } from '../../../apps/api/src/openapi/endpoints.js';

/** An endpoint as its controller declares it; `route` is, for example, `GET v1/sessions/:session`. */
export type FoundEndpoint = {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly roles: readonly Role[] | 'public';
  readonly operatorOnly: boolean;
  /** The declared text content of its answer. */
  readonly content: ContentOfAnswer;
  /** The members of its answer. */
  readonly shows: readonly string[];
  readonly isSecret: boolean;
};

/** Every endpoint that requires a key, from Nest's own metadata. */
export const foundEndpoints = (): readonly FoundEndpoint[] => endpointsOf(ROUTE_CONTROLLERS);
/** Every public endpoint. */
export const publicEndpoints = (): readonly FoundEndpoint[] => endpointsOf(PUBLIC_CONTROLLERS);

const endpointsOf = (controllers: Parameters<typeof endpointsIn>[0]): readonly FoundEndpoint[] =>
  endpointsIn(controllers).map(({ method, path, roles, operatorOnly = false, content, response }) => {
    const shows = response instanceof z.ZodObject ? Object.keys(response.shape) : [];
    return {
      route: `${method} ${path}`,
      method,
      path,
      roles,
      operatorOnly,
      content,
      shows,
      isSecret: holdsSecret(response),
    };
  });
