// Every built-in tool but Bash, which brings the analysis of command lines with it: they load together.
export { askUserQuestionTool } from "./ask-user-question/ask-user-question-tool.ts";
export { bashOutputTool } from "./background-shells/bash-output-tool.ts";
export { killShellTool } from "./background-shells/kill-shell-tool.ts";
export { editTool } from "./edit/edit-tool.ts";
export { enterPlanModeTool } from "./enter-plan-mode/enter-plan-mode-tool.ts";
export { exitPlanModeTool } from "./exit-plan-mode/exit-plan-mode-tool.ts";
export { globTool } from "./glob/glob-tool.ts";
export { grepTool } from "./grep/grep-tool.ts";
export { lsTool } from "./ls/ls-tool.ts";
export { readTool } from "./read/read-tool.ts";
export { recallTool } from "./recall/recall-tool.ts";
export { structuredOutputTool } from "./structured-output/structured-output-tool.ts";
export { todoWriteTool } from "./todo-write/todo-write-tool.ts";
export { writeTool } from "./write/write-tool.ts";
