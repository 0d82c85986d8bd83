// Reads the JSON of an agent, of 1.0 and of 0.3 alike, into that of 1.0. What has another type counts as left out, and what
// cannot be used as nothing: peers send null, empty texts and members of later versions.
import { isJsonObject } from "../../protocol/json-object.ts";
import {
  MAX_REMOTE_ARTIFACTS,
  MAX_REMOTE_ID_CHARACTERS,
  MAX_REMOTE_PARTS,
} from "../../protocol/a2a/client-limits.ts";
import type {
  A2aArtifact,
  A2aMessage,
  A2aMetadata,
  A2aPart,
  A2aStreamResponse,
  A2aTask,
  A2aTaskState,
  A2aTaskStatus,
} from "../../protocol/a2a/wire.ts";

type Fields = Readonly<Record<string, unknown>>;

const STATES: ReadonlyMap<unknown, A2aTaskState> = new Map<unknown, A2aTaskState>(
  (
    [
      ["SUBMITTED", "submitted"],
      ["WORKING", "working"],
      ["INPUT_REQUIRED", "input-required"],
      ["AUTH_REQUIRED", "auth-required"],
      ["COMPLETED", "completed"],
      ["FAILED", "failed"],
      ["CANCELED", "canceled"],
      ["REJECTED", "rejected"],
    ] as const
  ).flatMap(([name, legacy]) => {
    const state = `TASK_STATE_${name}` as const;
    return [
      [state, state],
      [legacy, state],
    ] as const;
  }),
);

/** The frame of a stream, or the result of a message; null for what is none. */
export function readStreamResponse(value: unknown): A2aStreamResponse | null {
  if (!isJsonObject(value)) return null;
  const member = (name: string, kind: string): Fields | null => {
    const given = value[name];
    if (isJsonObject(given)) return given;
    return value["kind"] === kind ? value : null;
  };
  const task = readTask(member("task", "task"));
  if (task) return { task };
  const status = member("statusUpdate", "status-update");
  if (status) return readStatusUpdate(status);
  const artifact = member("artifactUpdate", "artifact-update");
  if (artifact) return readArtifactUpdate(artifact);
  const message = readMessage(member("message", "message"));
  return message && { message };
}

/** Null for what is no task, or has no id that can be sent back. */
export function readTask(value: unknown): A2aTask | null {
  if (!isJsonObject(value)) return null;
  const id = readId(value["id"]);
  if (id === null) return null;
  const artifacts = listOf(value["artifacts"])
    .slice(0, MAX_REMOTE_ARTIFACTS)
    .flatMap((one) => readArtifact(one) ?? []);
  return {
    id,
    contextId: readId(value["contextId"]) ?? "",
    status: readStatus(value["status"]),
    artifacts,
    ...metadataOf(value),
  };
}

/** The id that a config has at its agent, of 1.0 or, one level deeper, of 0.3; the one that it was sent with where none is said. */
export function readConfigId(value: unknown, sent: string): string {
  const config = isJsonObject(value) ? value : {};
  const legacy = config["pushNotificationConfig"];
  return readId(isJsonObject(legacy) ? legacy["id"] : config["id"]) ?? sent;
}

function readStatusUpdate(value: Fields): A2aStreamResponse | null {
  const taskId = readId(value["taskId"]);
  if (taskId === null) return null;
  const contextId = readId(value["contextId"]) ?? "";
  const status = readStatus(value["status"]);
  return { statusUpdate: { taskId, contextId, status, ...metadataOf(value) } };
}

function readArtifactUpdate(value: Fields): A2aStreamResponse | null {
  const taskId = readId(value["taskId"]);
  const artifact = readArtifact(value["artifact"]);
  if (taskId === null || !artifact) return null;
  return {
    artifactUpdate: {
      taskId,
      contextId: readId(value["contextId"]) ?? "",
      artifact,
      append: value["append"] === true,
      lastChunk: value["lastChunk"] === true,
    },
  };
}

/** A state that is not known counts as work: the agent will say another one. */
function readStatus(value: unknown): A2aTaskStatus {
  const { state, message } = isJsonObject(value) ? value : {};
  const said = readMessage(message);
  return {
    state: STATES.get(state) ?? "TASK_STATE_WORKING",
    ...(said && { message: said }),
  };
}

function readArtifact(value: unknown): A2aArtifact | null {
  if (!isJsonObject(value)) return null;
  const artifactId = readId(value["artifactId"]);
  if (artifactId === null) return null;
  const name = textOf(value["name"]);
  return { artifactId, ...(name && { name }), parts: readParts(value["parts"]) };
}

function readMessage(value: unknown): A2aMessage | null {
  if (!isJsonObject(value) || !Array.isArray(value["parts"])) return null;
  const contextId = readId(value["contextId"]);
  const taskId = readId(value["taskId"]);
  const { role } = value;
  return {
    messageId: readId(value["messageId"]) ?? "",
    role: role === "user" || role === "ROLE_USER" ? "ROLE_USER" : "ROLE_AGENT",
    ...(contextId !== null && { contextId }),
    ...(taskId !== null && { taskId }),
    parts: readParts(value["parts"]),
    ...metadataOf(value),
  };
}

function readParts(value: unknown): readonly A2aPart[] {
  return listOf(value)
    .slice(0, MAX_REMOTE_PARTS)
    .flatMap((part) => (isJsonObject(part) ? (readPart(part) ?? []) : []));
}

/** In 0.3 a file stands in a member of its own. */
function readPart(part: Fields): A2aPart | null {
  const file = isJsonObject(part["file"]) ? part["file"] : null;
  const given: Fields = file
    ? { raw: file["bytes"], url: file["uri"], mediaType: file["mimeType"], filename: file["name"] }
    : part;
  const mediaType = textOf(given["mediaType"]);
  const filename = textOf(given["filename"]);
  const about = { ...(mediaType && { mediaType }), ...(filename && { filename }) };
  const { text, raw, url, data } = given;
  if (typeof text === "string") return { text, ...about };
  if (typeof raw === "string" && raw !== "") return { raw, ...about };
  if (typeof url === "string" && url !== "") return { url, ...about };
  return data === undefined ? null : { data, ...about };
}

function metadataOf({ metadata }: Fields): { readonly metadata?: A2aMetadata } {
  return isJsonObject(metadata) ? { metadata } : {};
}

function readId(value: unknown): string | null {
  const isUsable =
    typeof value === "string" &&
    value !== "" &&
    value.length <= MAX_REMOTE_ID_CHARACTERS &&
    // Ids stand in addresses, where half a character cannot be written.
    value.isWellFormed();
  return isUsable ? value : null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
