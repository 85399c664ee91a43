// The model asks the user; the callback that decides about tools gives the answers.
import { type CanUseTool, query } from "@castellan/sdk";

interface Question {
  question: string;
  header?: string;
  options: { label: string; description?: string }[];
  multiSelect?: boolean;
}

const canUseTool: CanUseTool = async (toolName, input) => {
  if (toolName !== "AskUserQuestion") return { behavior: "deny", message: "Only questions today." };
  const { questions } = input as unknown as { questions: Question[] };
  const answers: Record<string, string> = {};
  for (const { question, options, multiSelect } of questions) {
    const labels = options.map((option) => option.label);
    console.log(`${question} ${labels.join(" / ")}`);
    answers[question] = multiSelect ? labels.join(", ") : (labels[0] ?? "");
  }
  return { behavior: "allow", updatedInput: { questions, answers } };
};

for await (const message of query({ prompt: "Set the service up.", options: { canUseTool } })) {
  if (message.type === "result" && message.subtype === "success") console.log(message.result);
}
