// An agent with the tools of a server that wants a sign-in, and its end users.
import { request } from "../platform-client.ts";
import { waitFor } from "../wait-for.ts";
import { openMcpDesk, type McpDesk } from "./mcp-desk.ts";
import { sayInTime } from "./say-in-time.ts";
import type { AuthorizationServer } from "./authorization-server.ts";

interface Waiting {
  readonly kind: string;
  readonly tool_call: { readonly id: string; readonly name: string };
  readonly input_hash?: string | null;
  readonly authorization?: {
    readonly connection_id: string;
    readonly mcp_server_id: string;
    readonly url: string;
    readonly expires_at: string;
  };
}

interface Block {
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface DeskReply {
  readonly id: string;
  readonly status: string;
  readonly pending: readonly Waiting[];
  readonly message: { readonly content: readonly Block[] };
}

export interface Person {
  readonly path: string;
  readonly end_user_id: string | null;
  say(input: string): Promise<DeskReply>;
  reply(id: string): Promise<DeskReply>;
  /** When it does not run any more. */
  settled(id: string): Promise<DeskReply>;
  /** A client token of this session. */
  token(): Promise<string>;
}

export interface SignInDesk extends McpDesk {
  openSession(endUserId: string | null): Promise<Person>;
}

export async function openSignInDesk(
  server: AuthorizationServer,
  oauth: object = { grant: "authorization_code", owner: "end_user" },
): Promise<SignInDesk> {
  const desk = await openMcpDesk(server.mcpUrl, { server: { oauth } });
  const { key, agent: agent_id } = desk;
  return {
    ...desk,
    async openSession(end_user_id) {
      const body = { agent_id, ...(end_user_id !== null && { end_user_id }) };
      const made = await request<{ id: string }>("POST", "/v1/sessions", { key, body });
      const path = `/v1/sessions/${made.body.id}`;
      const reply = async (id: string) =>
        (await request<DeskReply>("GET", `${path}/replies/${id}`, { key })).body;
      return {
        path,
        end_user_id,
        reply,
        say(input) {
          const asked = { key, body: { input } };
          return sayInTime(
            async () => (await request<DeskReply>("POST", `${path}/replies`, asked)).body,
          );
        },
        settled: (id) =>
          waitFor(async () => {
            const found = await reply(id);
            if (found.status === "running") throw new Error("the reply still runs");
            return found;
          }),
        async token() {
          const made = await request<{ token: string }>("POST", `${path}/tokens`, {
            key,
            body: { verbs: ["read", "tool_result"] },
          });
          return made.body.token;
        },
      };
    },
  };
}

/** The page to which an authorization server sends the browser back. */
export async function openPage(
  location: string,
): Promise<{ readonly status: number; readonly html: string; readonly code: string }> {
  const answer = await fetch(location);
  const html = await answer.text();
  return { status: answer.status, html, code: /<code>([^<]+)<\/code>/.exec(html)?.[1] ?? "" };
}

export function complete(key: string, connectionId: string, code: string) {
  const path = `/v1/connections/${connectionId}/complete`;
  return request<{ status: string; code: string }>("POST", path, { key, body: { code } });
}

export function resultsOf({ message }: DeskReply): readonly string[] {
  return message.content.flatMap((block) => {
    if (block.type !== "tool_result") return [];
    const output = block["output"];
    if (typeof output === "string") return [output];
    return [((output ?? []) as readonly Block[]).map((one) => one["text"] as string).join("")];
  });
}
