import type { Target } from "../../protocol/index.ts";
import { type Declaration, inputOf, pathOf, textOf } from "../declaration.ts";

const FILES = { type: "array", maxItems: 100, items: pathOf("A file.") };
const QUIET = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };

/** What is sent is read, so Read rules bind it; that it may leave the machine is asked about all the same. */
const sent = (name: string, files: unknown): readonly Target[] => [
  { kind: "name", value: name },
  ...(Array.isArray(files) ? files : []).map(
    (path): Target => ({ kind: "path", access: "read", path: String(path) }),
  ),
];

/** SendUserFile: hands files to the person, through the host. */
export const SEND_USER_FILE: Declaration = {
  name: "SendUserFile",
  source: "builtin",
  title: "Send a file",
  searchHint: "send file user deliver share",
  description: "Sends files to the user.",
  inputSchema: inputOf(
    {
      files: { ...FILES, minItems: 1, description: "The files to send." },
      caption: textOf("What they are."),
    },
    ["files"],
  ),
  annotations: QUIET,
  targets: (input) => sent("SendUserFile", input.files),
  riskLevel: "medium",
  summary: (input) => (Array.isArray(input.files) ? input.files.join(", ") : ""),
};

/** SendUserMessage: a message to the person, with files, through the host. */
export const SEND_USER_MESSAGE: Declaration = {
  name: "SendUserMessage",
  source: "builtin",
  title: "Write to the user",
  searchHint: "send message user brief report",
  description: "Sends a message to the user.",
  inputSchema: inputOf(
    {
      message: textOf("The message, in Markdown.", 100_000),
      attachments: { ...FILES, description: "Files to send along." },
    },
    ["message"],
  ),
  annotations: QUIET,
  targets: (input) => sent("SendUserMessage", input.attachments),
  riskLevel: "medium",
  summary: (input) => String(input.message),
};

/** PushNotification: a short word to the person, wherever the host can reach them. */
export const PUSH_NOTIFICATION: Declaration = {
  name: "PushNotification",
  source: "builtin",
  title: "Notify the user",
  searchHint: "push notification notify phone alert",
  description: "Sends the user a notification.",
  inputSchema: inputOf({ message: textOf("What is to be told.", 1000), title: textOf("A title.", 200) }, [
    "message",
  ]),
  annotations: QUIET,
  riskLevel: "medium",
  summary: (input) => String(input.message),
};
