// Stored messages of a thread, in lines that a test can compare with the page.
import type { Msg } from "../../../protocol/messages/messages.ts";
import { openRequest, request } from "../../support/platform-client.ts";
import type { App } from "./open-app.ts";

/** A line for each text, call and result, in their order; thoughts are left out. */
export async function storedLines(app: App, thread: string): Promise<readonly string[]> {
  return (await storedMessages(app, thread)).flatMap(({ role, content }) =>
    content.flatMap((block) => {
      if (block.type === "text") return [`${role}: ${block.text}`];
      if (block.type === "tool_call") return [`call: ${block.name}`];
      if (block.type === "tool_result") return [`result: ${block.state} ${textOf(block.output)}`];
      return [];
    }),
  );
}

async function storedMessages(app: App, thread: string): Promise<readonly Msg[]> {
  const path = `/v1/sessions/${await app.sessionOf(thread)}/messages?limit=100`;
  return (await request<{ data: Msg[] }>("GET", path, { key: app.key })).body.data;
}

/** Whether the thread's newest reply runs, waits or has ended. */
export async function sessionStatus(app: App, thread: string): Promise<unknown> {
  const path = `/v1/sessions/${await app.sessionOf(thread)}`;
  return (await request("GET", path, { key: app.key })).body["status"];
}

/** Ends the reply, as an operator would, without any page. */
export async function interrupt(app: App, thread: string): Promise<void> {
  const path = `/v1/sessions/${await app.sessionOf(thread)}/interrupt`;
  await openRequest("POST", path, { key: app.key });
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  const blocks = output as readonly { readonly type: string; readonly text?: string }[];
  return blocks.map(({ type, text }) => text ?? type).join("");
}
