import type { AndOr, CommandNode, ParsedScript, PipelineNode, Statement } from "unbash";

export type { CommandNode, ParsedScript, PipelineNode, Statement };

/** What a statement, a list or a pipeline holds. */
export type Node = PipelineNode | AndOr;
export type Compound = Exclude<CommandNode, { type: "Command" }>;
