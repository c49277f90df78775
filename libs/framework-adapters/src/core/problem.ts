import type { ReportOverflowRequest } from '@palimpsest/client';

/** Returns the provider's error in the error that a framework throws for a refused request. */
export const problemOf = (error: unknown): ReportOverflowRequest => {
  const { message, status, statusCode, code, responseBody, cause } = membersOf(error);
  const number = status ?? statusCode;
  const text = responseBody ?? message ?? (cause === undefined ? String(error) : problemOf(cause).message);
  return {
    message: String(text),
    ...(typeof number === 'number' && { status: number }),
    ...(typeof code === 'string' && { code }),
  };
};

const membersOf = (error: unknown): Readonly<Record<string, unknown>> =>
  typeof error === 'object' && error !== null ? { ...error, message: Reflect.get(error, 'message') } : {};
