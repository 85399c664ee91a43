/** The fields of a result that mean something, each read once. */
export interface RawResult {
  readonly content: unknown;
  readonly output: unknown;
  readonly summary: unknown;
  readonly success: unknown;
  readonly structuredContent: unknown;
  readonly artifacts: unknown;
  readonly images: unknown;
  readonly isError: unknown;
  readonly is_error: unknown;
  /** One of them says that this is meant as a result. */
  readonly known: boolean;
}

/** Takes a result's fields out of whatever object it is. May throw what a getter throws. */
export function readRaw(raw: object): RawResult {
  const { content, output, summary, success, structuredContent, artifacts, images, isError, is_error } =
    raw as { readonly [key: string]: unknown };
  const failed = isError === true || is_error === true;
  const told = [content, output, structuredContent, artifacts, images, success].some(
    (field) => field !== undefined,
  );
  return {
    ...{ content, output, summary, success, structuredContent, artifacts, images, isError, is_error },
    known: told || failed,
  };
}
