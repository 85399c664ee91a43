import type { JsonObject, McpTransport } from "../protocol/index.ts";
import { isJsonObject } from "../schema/index.ts";
import { type McpClient, startClient } from "./client.ts";
import { isSpoken, NEWEST_VERSION, PROTOCOL_VERSIONS } from "./messages.ts";

/** A server that has said who it is. */
export interface Connected {
  readonly client: McpClient;
  readonly serverInfo?: { readonly name: string; readonly version: string };
  readonly instructions?: string;
  readonly hasTools: boolean;
}

/**
 * Connects over a transport: agrees on a revision of the protocol and says that it is ready.
 *
 * Rejects with an Error that says what the server did instead; the transport is closed then.
 */
export async function connect(
  transport: McpTransport,
  release: string,
  onClose: () => void,
): Promise<Connected> {
  const client = await startClient(transport, onClose);
  try {
    const answer = await client.request("initialize", {
      protocolVersion: NEWEST_VERSION,
      capabilities: {},
      clientInfo: { name: "castellan", version: release },
    });
    if (!isJsonObject(answer)) throw new Error("The server answered initialize with no object.");
    if (!isSpoken(answer.protocolVersion)) {
      const theirs = JSON.stringify(answer.protocolVersion) ?? "none";
      throw new Error(`The server speaks revision ${theirs}; known are ${PROTOCOL_VERSIONS.join(", ")}.`);
    }
    await client.notify("notifications/initialized");
    return { client, ...readAnswer(answer as JsonObject) };
  } catch (error) {
    await client.close();
    throw error;
  }
}

function readAnswer({ serverInfo, instructions, capabilities }: JsonObject): Omit<Connected, "client"> {
  const { name, version } = isJsonObject(serverInfo) ? serverInfo : {};
  return {
    ...(typeof name === "string"
      ? { serverInfo: { name, version: typeof version === "string" ? version : "" } }
      : {}),
    ...(typeof instructions === "string" && instructions.trim() !== "" ? { instructions } : {}),
    hasTools: isJsonObject(capabilities) && isJsonObject(capabilities.tools),
  };
}
