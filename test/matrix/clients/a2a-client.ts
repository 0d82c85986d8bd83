// The client of the A2A SDK, and what it holds of a task after the frames that it was given.
import { SendMessageRequest, type StreamResponse, type Task } from "@a2a-js/sdk";
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type Client,
} from "@a2a-js/sdk/client";

import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import { messageOf, type A2aBinding } from "../../support/a2a/a2a-desk.ts";

interface ClientPlace {
  /** Of the platform. */
  readonly baseUrl: string;
  readonly path: string;
  readonly key: string;
}

/** By the card, which the client looks for at the agent's base. */
export function connectA2a(
  { baseUrl, path, key }: ClientPlace,
  binding: A2aBinding,
): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${key}`);
    return fetch(input, { ...init, headers });
  };
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [
      new JsonRpcTransportFactory({ fetchImpl }),
      new RestTransportFactory({ fetchImpl }),
    ],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    preferredTransports: [binding],
  });
  return new ClientFactory(options).createFromUrl(baseUrl + path);
}

export function requestOf(text: string, more: object = {}, configuration?: object) {
  return SendMessageRequest.fromJSON(messageOf(text, more, configuration));
}

/** Answers to the calls that a task waits for. */
export function answersOf(taskId: string, answers: readonly object[]) {
  return requestOf("", { taskId, parts: [{ data: { [A2A_EXTENSION]: { answers } } }] });
}

export function isTask(result: object): result is Task {
  return "status" in result;
}

export function textsOf({ artifacts }: Pick<Task, "artifacts">): Record<string, string> {
  return Object.fromEntries(artifacts.map(({ artifactId, parts }) => [artifactId, textOf(parts)]));
}

function textOf(parts: Task["artifacts"][number]["parts"]): string {
  return parts
    .map(({ content, mediaType }) =>
      content?.$case === "text" ? content.value : `${content?.$case}: ${mediaType}`,
    )
    .join("");
}

/** Artifacts by their ids, and the last state, as a client of the specification has them. */
export function holdFrames(frames: readonly StreamResponse[], before: Record<string, string> = {}) {
  const texts = new Map(Object.entries(before));
  let state: number | undefined;
  for (const { payload } of frames) {
    if (payload?.$case === "task") {
      for (const [id, text] of Object.entries(textsOf(payload.value))) texts.set(id, text);
      state = payload.value.status?.state ?? state;
    } else if (payload?.$case === "statusUpdate") {
      state = payload.value.status?.state ?? state;
    } else if (payload?.$case === "artifactUpdate") {
      const { artifact, append } = payload.value;
      const { artifactId = "", parts = [] } = artifact ?? {};
      texts.set(artifactId, (append ? (texts.get(artifactId) ?? "") : "") + textOf(parts));
    }
  }
  return { state, texts: Object.fromEntries(texts) };
}

/** For `Last-Event-ID`: the client shows metadata, and no ids of events. */
export function cursorOf({ payload }: StreamResponse): string {
  const metadata = payload?.$case === "message" ? undefined : payload?.value.metadata;
  const place = metadata?.[A2A_EXTENSION] as { readonly seq?: string | number } | undefined;
  return String(place?.seq ?? "");
}
