/** What of the mounted tools a session shows. */
export interface CatalogueOptions {
  /**
   * Names of the tools that may be seen. Absent: the default built-ins and everything that is not built in.
   * MCP tools stay visible unless a name here begins with `mcp__`; an empty list leaves none at all.
   */
  readonly tools?: readonly string[] | undefined;
  /** Only the tools named in `tools` may be seen, those of servers too. */
  readonly exact?: boolean | undefined;
  /** Bare names that are taken away. Names that no tool has do nothing. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** Other names that the model may use, each for the name of a tool. */
  readonly toolAliases?: Readonly<Record<string, string>> | undefined;
}
