import type { ErrorCode, JsonObject } from '@app/kernel';
import type { Role } from '@app/ports';
import { applyDecorators, HttpCode, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { statusOf } from './problems.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type EndpointOptions = {
  /** One sentence: what it does. */
  readonly summary: string;
  /** Whose keys may call it; `public` for anybody, without a key. */
  readonly roles: readonly Role[] | 'public';
  /** Of an answer that is no error; 200 where it is not given. */
  readonly status?: number;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
  /** The refusals that callers of this endpoint must be ready for, besides those of every endpoint. */
  readonly errors?: readonly ErrorCode[];
};

const ENDPOINT = 'palimpsest:endpoint';

/**
 * One verb of the API, said once: its route, who may call it, and the shapes that go in and out. Validation, access
 * and OpenAPI all come from here.
 */
export const Endpoint = (method: Method, path: string, options: EndpointOptions) => {
  const { summary, roles, status = 200, query, body, response, errors = [] } = options;
  const parameters = Object.entries(query?.shape ?? {}).map(([name, schema]) =>
    ApiQuery({ name, schema: jsonSchemaOf(schema, 'input'), required: !isOptional(schema) }),
  );
  return applyDecorators(
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(status),
    SetMetadata(ENDPOINT, options),
    ApiOperation({ summary }),
    ...parameters,
    ...(body ? [ApiBody({ schema: jsonSchemaOf(body, 'input') })] : []),
    ApiResponse({ status, description: 'What was asked for.', schema: jsonSchemaOf(response, 'output') }),
    ...problemsOf(errors),
    ...(roles === 'public' ? [] : [ApiBearerAuth()]),
  );
};

/** What an endpoint said of itself; `undefined` for a handler that is none. */
export const endpointOf = (handler: object): EndpointOptions | undefined =>
  Reflect.getMetadata(ENDPOINT, handler);

/** Each status once, with the codes that it may carry. */
const problemsOf = (errors: readonly ErrorCode[]) => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errors) byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  return [...byStatus].map(([status, codes]) =>
    ApiResponse({ status, description: codes.map((code) => `\`${code}\``).join(', ') }),
  );
};

/** A zod schema in the words of OpenAPI 3.1, which are those of JSON Schema. */
const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(rest));
};

const isOptional = (schema: unknown): boolean =>
  schema instanceof z.ZodType && schema.safeParse(undefined).success;
