// Content for the pictures of questions, sign-ins and connections.
import { readString, type LocalApi } from "../local-api.ts";

export interface WaitIds {
  /** The session whose call asks a person. */
  readonly asking: string;
  /** The session whose call waits for a sign-in. */
  readonly signingIn: string;
}

/** @param urls Of an MCP server that asks, and of one that wants a sign-in. */
export async function fillWaits(
  api: LocalApi,
  urls: { readonly travel: string; readonly calendar: string },
): Promise<WaitIds> {
  const travel = await api.call("POST", "/v1/mcp-servers", { name: "travel", url: urls.travel });
  const calendar = await api.call("POST", "/v1/mcp-servers", {
    name: "calendar",
    url: urls.calendar,
    oauth: { grant: "authorization_code", owner: "end_user" },
  });
  const tools = [travel, calendar].map((server) => ({
    type: "mcp",
    server_id: readString(server, "id"),
    permissions: { "*": "allow" },
  }));
  const agent = await api.call("POST", "/v1/agents", { name: "Secretary", tools });
  const ask = async (end_user_id: string, title: string, input: string) => {
    const body = { agent_id: readString(agent, "id"), end_user_id, title };
    const session = readString(await api.call("POST", "/v1/sessions", body), "id");
    const reply = await api.call("POST", `/v1/sessions/${session}/replies`, { input });
    return { session, pending: (reply.body?.["pending"] ?? []) as readonly Waiting[] };
  };
  const signIn = "/say I look into your calendar.\n/call mcp__calendar__sign_in {}\n/say Done.";
  const { pending } = await ask("ann@shop.example", "An appointment on Friday", signIn);
  const { url = "", connection_id = "" } = pending[0]?.authorization ?? {};
  const page = await (await fetch(url)).text();
  const code = /<code>([^<]+)</.exec(page)?.[1];
  await api.call("POST", `/v1/connections/${connection_id}/complete`, { code });
  const { session: signingIn } = await ask("carla", "What is on today", signIn);
  const { session: asking } = await ask(
    "dmitri",
    "A room by the sea",
    "/call mcp__travel__book {}\n/say Booked.",
  );
  return { asking, signingIn };
}

interface Waiting {
  readonly authorization?: { readonly url: string; readonly connection_id: string };
}
