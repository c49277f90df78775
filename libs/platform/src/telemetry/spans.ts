import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Without tracing, spans are no-ops. */
const tracer = () => trace.getTracer('palimpsest');

export type SpanOptions = {
  readonly kind?: SpanKind;
  /** Parent context; by default the active one. */
  readonly parent?: Context;
  readonly attributes?: Readonly<Record<string, string | number>>;
};

/** Runs `work` in an active span. A failure marks the span, without its message. */
export const inSpan = async <Result>(
  name: string,
  { kind = SpanKind.INTERNAL, parent = context.active(), attributes = {} }: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> => {
  const span = tracer().startSpan(name, { kind, attributes: { ...attributes } }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
};

/** Starts a span, which the caller ends. */
export const startSpan = (name: string, { kind, parent = context.active(), attributes }: SpanOptions): Span =>
  tracer().startSpan(
    name,
    { ...(kind !== undefined && { kind }), ...(attributes && { attributes: { ...attributes } }) },
    parent,
  );

/** Calls `next` with an active span. */
export const within = (span: Span, next: () => void): void =>
  context.with(trace.setSpan(context.active(), span), next);

/** Returns the context of W3C Trace Context headers. */
export const contextFrom = (headers: Readonly<Record<string, unknown>>): Context =>
  propagation.extract(ROOT_CONTEXT, headers);

/** Returns the context in which an event was recorded. */
export const contextOf = (traceparent: string | undefined): Context =>
  traceparent === undefined ? ROOT_CONTEXT : contextFrom({ traceparent });

/** Returns the active span as a `traceparent`; `undefined` without tracing. */
export const currentTraceparent = (): string | undefined => {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
};
