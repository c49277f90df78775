/** An error that is answered in the form of a provider; `status` as of HTTP. */
export type WireFailure = {
  readonly status: number;
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
};
