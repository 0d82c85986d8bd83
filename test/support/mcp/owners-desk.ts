// Three end users of one agent at a server with grants per end user: two have signed in, and one has not. The server's
// catalogue is another one for each: it has a tool that is named after who asks.
import { onTestFinished } from "vitest";

import type { RecordedRequest } from "../loopback-server.ts";
import { request } from "../platform-client.ts";
import { startAuthorizationServer, type AuthorizationServer } from "./authorization-server.ts";
import {
  complete,
  openPage,
  openSignInDesk,
  type DeskReply,
  type Person,
  type SignInDesk,
} from "./sign-in-desk.ts";

const FIND = '/call mcp__wh__find_order {"order_id":"A-1"}';
export const FOUND = `${FIND}\n/say Found.`;

export interface OwnersDesk {
  readonly server: AuthorizationServer;
  readonly desk: SignInDesk;
  /** The connections of those who have signed in. */
  readonly connections: Readonly<Record<string, string>>;
  /** Any request with the tenant's key, or another one. @returns its answer as text. */
  readonly ask: (method: string, path: string, body?: unknown, key?: string) => Promise<string>;
  /** A client token of the session. */
  readonly tokenOf: (person: Person, ...verbs: readonly string[]) => Promise<string>;
  /** A reply of a new session of theirs that waits for a person to allow the call. */
  readonly askedFirst: (
    endUser: string,
  ) => Promise<{ readonly person: Person; readonly asked: DeskReply }>;
}

export async function openOwnersDesk(): Promise<OwnersDesk> {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  server.lies.mcp = ({ body }: RecordedRequest, response, subject) => {
    const { id, method } = (body ?? {}) as { id?: string; method?: string };
    if (method !== "tools/list") return false;
    const inputSchema = { type: "object", properties: { order_id: { type: "string" } } };
    const tools = [
      { name: "find_order", inputSchema },
      { name: `of_${subject}`, inputSchema },
    ];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { tools } }));
    return true;
  };
  const desk = await openSignInDesk(server);
  const { key } = desk;
  const connections: Record<string, string> = {};
  for (const name of ["ada", "bob"]) {
    connections[name] = await signIn(server, desk, name);
  }
  const ask: OwnersDesk["ask"] = async (method, path, body, by = key) => {
    const answer = await request<unknown>(method, path, {
      key: by,
      ...(body !== undefined && { body }),
    });
    return JSON.stringify(answer.body);
  };
  return {
    server,
    desk,
    connections,
    ask,
    tokenOf: async ({ path }, ...verbs) => {
      const body = { verbs };
      return (await request<{ token: string }>("POST", `${path}/tokens`, { key, body })).body.token;
    },
    askedFirst: async (endUser) => {
      const person = await desk.openSession(endUser);
      const rules = [{ tool_name: "mcp__wh__find_order", behavior: "ask" }];
      await ask("POST", `${person.path}/permission-rules`, { rules });
      return { person, asked: await person.say(FOUND) };
    },
  };
}

async function signIn(server: AuthorizationServer, desk: SignInDesk, name: string) {
  const person = await desk.openSession(name);
  const asked = await person.say("/call mcp__wh__sign_in {}\n/say Thanks.");
  const { url = "", connection_id = "" } = asked.pending[0]?.authorization ?? {};
  const { code } = await openPage(await server.signIn(url, name));
  await complete(desk.key, connection_id, code);
  await person.settled(asked.id);
  return connection_id;
}

/** The event that allows all that waits. */
export function allowAll({ id, pending }: DeskReply) {
  return {
    type: "USER_CONFIRM_RESULT",
    reply_id: id,
    confirm_results: pending.map(({ tool_call }) => ({ confirmed: true, tool_call })),
    metadata: {
      input_hashes: Object.fromEntries(
        pending.map(({ tool_call, input_hash }) => [tool_call.id, input_hash]),
      ),
    },
  };
}
