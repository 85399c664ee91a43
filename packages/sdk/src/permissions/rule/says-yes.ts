/**
 * Whether a tool's own test says that a rule means the call. Only `true` and `false` are answers.
 *
 * @param specifier the text between the rule's brackets, as it was written.
 * @param otherwise what a test that throws, or answers with nonsense, counts as.
 */
export function saysYes(
  test: (specifier: string) => boolean,
  specifier: string,
  otherwise: boolean,
): boolean {
  try {
    const answer: unknown = test(specifier);
    return typeof answer === "boolean" ? answer : otherwise;
  } catch {
    return otherwise;
  }
}
